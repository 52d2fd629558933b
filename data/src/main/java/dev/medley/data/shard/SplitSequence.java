package dev.medley.data.shard;

import dev.medley.base.Seeds;
import dev.medley.base.job.DataSpec.SplitKind;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Decides sample by sample, in file order, which ones are kept for validation. They are exactly the
 * rounded share of every stratum, each subset with the same chance (selection sampling: Knuth, The
 * Art of Computer Programming 2, 3.4.2, algorithm S). A new sequence from the same values decides
 * alike.
 *
 * <p>Thread: one.
 */
public final class SplitSequence {
    private final SplitKind kind;
    private final long[] left;
    private final long[] wanted;
    private final List<RandomGenerator> draws = new ArrayList<>();
    private boolean taken;

    /**
     * A sequence over samples of one or more strata.
     *
     * @param kind with {@link SplitKind#STRATIFIED}, {@code counts} has one entry a stratum, else
     *     one in all
     * @param fraction to keep for validation
     * @param counts samples of each stratum
     * @param seed of the run
     */
    public SplitSequence(SplitKind kind, double fraction, long[] counts, long seed) {
        this.kind = kind;
        this.left = counts.clone();
        this.wanted = new long[counts.length];
        for (int i = 0; i < counts.length; i++) {
            wanted[i] = share(counts[i], fraction, counts.length == 1);
            draws.add(Seeds.generator(seed, Purpose.SPLIT, i));
        }
    }

    /** A sequence that keeps none. */
    public static SplitSequence none(long count) {
        return new SplitSequence(SplitKind.TAIL, 0, new long[] {count}, 0);
    }

    /** A sequence that keeps all {@code count} samples for validation. */
    public static SplitSequence all(long count) {
        SplitSequence sequence = none(count);
        sequence.wanted[0] = count;
        return sequence;
    }

    /** Samples that are kept for validation, from here on. */
    public long validationSamples() {
        long sum = 0;
        for (long count : wanted) {
            sum += count;
        }
        return sum;
    }

    /** Whether the next sample, which lies in {@code stratum}, is kept for validation. */
    public boolean nextIsValidation(int stratum) {
        int at = kind == SplitKind.STRATIFIED ? stratum : 0;
        taken =
                kind == SplitKind.TAIL
                        ? left[at] <= wanted[at]
                        : draws.get(at).nextDouble() * left[at] < wanted[at];
        left[at]--;
        if (taken) {
            wanted[at]--;
        }
        return taken;
    }

    /** Whether the last one was: what belongs to it goes where it went. */
    public boolean wasValidation() {
        return taken;
    }

    /** A set that is split at all keeps at least one sample on either side. */
    private static long share(long count, double fraction, boolean isWhole) {
        long rounded = Math.round(count * fraction);
        if (!isWhole || fraction == 0 || count < 2) {
            return Math.min(rounded, count);
        }
        return Math.max(1, Math.min(count - 1, rounded));
    }
}
