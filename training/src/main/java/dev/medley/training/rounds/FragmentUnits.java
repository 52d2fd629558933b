package dev.medley.training.rounds;

import dev.medley.base.round.FragmentSchedule;
import dev.medley.base.strategy.StreamSpec;
import dev.medley.training.strategy.NormalizedAveraging;
import dev.medley.training.strategy.Part;
import org.jspecify.annotations.Nullable;

/**
 * Computes what the sum of each fragment's changes will be divided by, where each sample weighs
 * one. It follows from what all ranks do between the fragment's leaving in the round before and in
 * this one, which is in the plan. Equal on all members.
 */
final class FragmentUnits {
    private final StreamSpec stream;

    /** The round before, if the group has applied one. */
    private @Nullable Part before;

    private @Nullable Part now;

    FragmentUnits(StreamSpec stream) {
        this.stream = stream;
    }

    /** A group begins whose members are ahead of nothing. */
    void beginAnew() {
        before = null;
    }

    /** A round begins. */
    void begin(Part part) {
        now = part;
    }

    /** The round was applied; else it is begun again. */
    void applied() {
        before = now;
    }

    /** Of a fragment; 0 where nobody does anything for it. */
    double of(int fragment) {
        Part round = now;
        if (round == null) {
            throw new IllegalStateException("no round is under way");
        }
        double sum = 0;
        double inSteps = 0;
        for (int rank = 0; rank < round.batches().size(); rank++) {
            Done own = done(round, rank, fragment).plus(left(rank, fragment));
            sum += own.samples();
            inSteps += own.samples() * own.steps();
        }
        return inSteps == 0 ? 0 : NormalizedAveraging.divisor(sum, inSteps);
    }

    /** Inner steps of a rank, and their samples. */
    private record Done(double steps, double samples) {
        Done plus(Done other) {
            return new Done(steps + other.steps, samples + other.samples);
        }
    }

    /** Of the round before, behind the fragment. */
    private Done left(int rank, int fragment) {
        Part part = before;
        if (part == null) {
            return new Done(0, 0);
        }
        Done until = done(part, rank, fragment);
        double steps = part.batches().get(rank) - until.steps();
        return new Done(steps, part.shares().get(rank) - until.samples());
    }

    /**
     * Until the fragment leaves: the steps of a rank take as many samples each, but for the last.
     */
    private Done done(Part part, int rank, int fragment) {
        int all = part.batches().get(rank);
        int steps = FragmentSchedule.of(all, part.clocks(), stream).leaves().get(fragment);
        return new Done(steps, (double) part.shares().get(rank) * steps / all);
    }
}
