package dev.medley.training.loop;

import dev.medley.base.Plan;
import dev.medley.data.order.SampleRange;
import dev.medley.training.bucket.RoundTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongPredicate;

/**
 * The samples whose round has passed without them. They are part of the state of a run whose rounds
 * do not wait for all, equal on all members. Each sample of an epoch is at every border in exactly
 * one of four places: before the cursor and in a sum; behind the cursor; owed; or in the late work
 * of one rank.
 *
 * @param owed to be dealt to all in the next round
 * @param late in the hands of ranks that missed a round; of each rank in order of rounds
 */
public record Backlog(List<SampleRange> owed, List<Late> late) {
    /** Nothing is behind. */
    public static final Backlog NONE = new Backlog(List.of(), List.of());

    /**
     * Samples of a rank's late work.
     *
     * @param step the round that it missed
     * @param samples all that were this rank's then and did not go into the sum, until the next
     *     round says how many of them it had taken; those from then on
     */
    public record Late(int rank, long step, List<SampleRange> samples) {
        public Late {
            samples = List.copyOf(samples);
        }
    }

    /**
     * A round that all have applied.
     *
     * @param step its number
     * @param due samples of each rank in order of rank, in the order in which it takes them
     * @param isTooOld whether late work of so many rounds of age is dropped
     */
    record Round(long step, List<List<SampleRange>> due, LongPredicate isTooOld) {}

    public Backlog {
        owed = List.copyOf(owed);
        late = List.copyOf(late);
    }

    /** Whether every sample before the cursor is in a sum. */
    public boolean isNone() {
        return equals(NONE);
    }

    /** A group forms: late work ends with the group before, and its samples are dealt anew. */
    public Backlog formed() {
        List<SampleRange> all = new ArrayList<>(owed);
        late.forEach(each -> all.addAll(each.samples()));
        return new Backlog(joined(all), List.of());
    }

    /** What a rank takes of what is owed, in proportion to its share. */
    List<SampleRange> dealt(Plan plan, int rank) {
        long all = samples(owed);
        return cut(owed, plan.shareStart(rank, all), plan.shareEnd(rank, all));
    }

    /** What is behind after a round of which the ranks said this, in order of rank. */
    Backlog after(Round round, List<RoundTable.Row> rows) {
        List<SampleRange> nowOwed = new ArrayList<>();
        List<Late> nowLate = new ArrayList<>();
        Map<Integer, List<Late>> before = new TreeMap<>();
        late.forEach(each -> before.computeIfAbsent(each.rank(), r -> new ArrayList<>()).add(each));
        for (int rank = 0; rank < rows.size(); rank++) {
            RoundTable.Row row = rows.get(rank);
            List<Late> held = before.getOrDefault(rank, new ArrayList<>());
            trim(held, round.step() - 1, row.takenBefore(), nowOwed);
            List<SampleRange> due = round.due().get(rank);
            List<SampleRange> left = cut(due, row.taken(), samples(due));
            if (!row.isLate()) {
                nowOwed.addAll(left);
                continue; // What was held is in the sum.
            }
            if (!held.isEmpty() && round.isTooOld().test(round.step() + 1 - held.get(0).step())) {
                held.forEach(each -> nowOwed.addAll(each.samples()));
                held.clear();
            }
            held.add(new Late(rank, round.step(), left));
            if (round.isTooOld().test(1)) {
                nowOwed.addAll(left);
                held.clear();
            }
            nowLate.addAll(held);
        }
        return new Backlog(joined(nowOwed), nowLate);
    }

    /** Of the round before it is known now how far the rank had come: the rest is owed. */
    private static void trim(List<Late> held, long step, long taken, List<SampleRange> owedThen) {
        int last = held.size() - 1;
        if (last >= 0 && held.get(last).step() == step) {
            Late late = held.get(last);
            List<SampleRange> all = late.samples();
            held.remove(last);
            if (taken > 0) {
                held.add(new Late(late.rank(), step, cut(all, 0, taken)));
            }
            owedThen.addAll(cut(all, taken, samples(all)));
        }
    }

    static long samples(List<SampleRange> ranges) {
        return ranges.stream().mapToLong(range -> range.to() - range.from()).sum();
    }

    /** The samples {@code from} to before {@code to} of ranges, counted through. */
    private static List<SampleRange> cut(List<SampleRange> ranges, long from, long to) {
        List<SampleRange> result = new ArrayList<>();
        long before = 0;
        for (SampleRange range : ranges) {
            long length = range.to() - range.from();
            long begin = Math.max(from - before, 0);
            long end = Math.min(to - before, length);
            if (begin < end) {
                long at = range.from();
                result.add(new SampleRange(range.epoch(), at + begin, at + end));
            }
            before += length;
        }
        return result;
    }

    /** The same samples in order of position, in as few ranges as can be. */
    private static List<SampleRange> joined(List<SampleRange> ranges) {
        List<SampleRange> result = new ArrayList<>();
        List<SampleRange> sorted =
                ranges.stream().sorted(Comparator.comparingLong(SampleRange::from)).toList();
        for (SampleRange range : sorted) {
            int last = result.size() - 1;
            if (last >= 0 && result.get(last).to() == range.from()) {
                long from = result.get(last).from();
                result.set(last, new SampleRange(range.epoch(), from, range.to()));
            } else {
                result.add(range);
            }
        }
        return result;
    }
}
