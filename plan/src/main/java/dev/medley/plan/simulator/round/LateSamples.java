package dev.medley.plan.simulator.round;

import dev.medley.base.strategy.QuorumSpec;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Counts the samples that are behind in rounds that do not wait for all. {@code Backlog}, which
 * does so in a run, keeps their positions; here they are numbers. Each sample that a round began
 * with is in a sum, owed to all, or in the late work of one rank.
 */
final class LateSamples {
    private final QuorumSpec gate;
    private final List<Deque<Late>> late = new ArrayList<>();
    private long owed;
    private long round;

    /**
     * What a rank holds of a round that it missed.
     *
     * @param due samples that were its own then
     * @param taken of them
     * @param isTold whether all know how many it took: from the round after on
     */
    private record Late(long round, long due, long taken, boolean isTold) {
        long held() {
            return isTold ? taken : due;
        }
    }

    /**
     * A rank at the end of a round.
     *
     * @param due samples that were its own
     * @param taken of them
     * @param isLate whether it gave nothing to the sum
     */
    record Row(long due, long taken, boolean isLate) {}

    /**
     * A group begins.
     *
     * @param owed samples that the group before left behind, whose late work ended with it
     */
    LateSamples(QuorumSpec gate, int size, long owed) {
        this.gate = gate;
        this.owed = owed;
        for (int rank = 0; rank < size; rank++) {
            late.add(new ArrayDeque<>());
        }
    }

    /** What each rank takes of what is owed, in proportion to its share. */
    List<Long> dealt(List<Integer> shares) {
        long all = shares.stream().mapToLong(share -> share).sum();
        List<Long> dealt = new ArrayList<>();
        long before = 0;
        for (int share : shares) {
            dealt.add((before + share) * owed / all - before * owed / all);
            before += share;
        }
        return dealt;
    }

    /**
     * A round has ended, in which all that was owed was dealt.
     *
     * @return samples in its sum
     */
    long after(List<Row> rows) {
        round++;
        owed = 0;
        long summed = 0;
        for (int rank = 0; rank < rows.size(); rank++) {
            Row row = rows.get(rank);
            Deque<Late> held = late.get(rank);
            tell(held);
            if (row.isLate()) {
                miss(held, new Late(round, row.due(), row.taken(), false));
            } else {
                summed += row.taken() + held.stream().mapToLong(Late::taken).sum();
                owed += row.due() - row.taken();
                held.clear();
            }
        }
        return summed;
    }

    /** Of the round before it is known now how far the rank had come: the rest is owed. */
    private void tell(Deque<Late> held) {
        Late last = held.peekLast();
        if (last != null && !last.isTold()) {
            held.removeLast();
            owed += last.due() - last.taken();
            if (last.taken() > 0) {
                held.addLast(new Late(last.round(), last.due(), last.taken(), true));
            }
        }
    }

    private void miss(Deque<Late> held, Late missed) {
        Late oldest = held.peekFirst();
        if (oldest != null && gate.isTooOld((int) (round + 1 - oldest.round()))) {
            drop(held);
        }
        held.addLast(missed);
        if (gate.isTooOld(1)) {
            drop(held);
        }
    }

    private void drop(Deque<Late> held) {
        owed += held.stream().mapToLong(Late::held).sum();
        held.clear();
    }

    /** Samples of rounds so far that are in no sum yet. */
    long samples() {
        long held = late.stream().flatMap(Deque::stream).mapToLong(Late::held).sum();
        return owed + held;
    }
}
