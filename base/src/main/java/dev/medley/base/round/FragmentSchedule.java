package dev.medley.base.round;

import dev.medley.base.strategy.StreamSpec;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The inner steps of a round after which one worker sends each fragment and takes the common step
 * with it. The fragments' steps are spread evenly over the round, the last at its end; each
 * fragment leaves the overlap earlier, but not before the one before it has landed.
 *
 * <p>Workers take unlike numbers of steps in the same time. So a schedule is in parts of the round,
 * and fragments leave and land at about the same time everywhere.
 *
 * @param leaves inner steps before which fragment p has left, from 0
 * @param lands inner steps after which its common step is taken
 */
public record FragmentSchedule(List<Integer> leaves, List<Integer> lands) {
    public FragmentSchedule {
        leaves = List.copyOf(leaves);
        lands = List.copyOf(lands);
    }

    /**
     * The schedule of one worker in one round.
     *
     * @param own inner steps of the worker
     * @param clocks batches of {@code train.batch} samples that all take together
     */
    public static FragmentSchedule of(int own, int clocks, StreamSpec stream) {
        long count = stream.fragments();
        long flight = (2L * stream.overlap() * own + clocks) / (2L * clocks);
        List<Integer> lands =
                IntStream.rangeClosed(1, stream.fragments())
                        .mapToObj(p -> (int) (((long) p * own + count - 1) / count))
                        .toList();
        List<Integer> leaves =
                IntStream.range(0, stream.fragments())
                        .mapToObj(
                                p ->
                                        (int)
                                                Math.max(
                                                        p == 0 ? 0 : lands.get(p - 1),
                                                        lands.get(p) - flight))
                        .toList();
        return new FragmentSchedule(leaves, lands);
    }
}
