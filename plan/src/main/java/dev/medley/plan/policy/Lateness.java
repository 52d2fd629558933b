package dev.medley.plan.policy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * The lateness of a worker's last steps: it is a straggler if at least {@value #ENOUGH} of the last
 * {@value #WINDOW} were late. A single late step (a garbage collection, a noisy neighbour) is no
 * reason for anything.
 *
 * <p>A step is late if it took longer than the bound times what this worker usually takes for such
 * a share, and also than the bound times by how much the others were late in the same step: where
 * all are slow, no worker is a straggler.
 *
 * @param lateTimes by how many times each of the last steps was late; 0 for one that was not
 */
public record Lateness(List<Double> lateTimes) {
    private static final int WINDOW = 5;
    private static final int ENOUGH = 3;

    /** In time so far. */
    public static final Lateness NONE = new Lateness(List.of());

    public Lateness {
        lateTimes = List.copyOf(lateTimes);
    }

    /**
     * With one more step.
     *
     * @param times that it took of what it usually takes
     * @param timesOfOthers the same of the others, in the middle
     * @param bound above which it is late
     */
    public Lateness after(double times, double timesOfOthers, double bound) {
        List<Double> last = new ArrayList<>(lateTimes);
        last.add(times > bound * Math.max(1, timesOfOthers) ? times : 0);
        int from = Math.max(0, last.size() - WINDOW);
        return new Lateness(last.subList(from, last.size()));
    }

    /** Whether enough of the last steps were late. */
    public boolean isStraggler() {
        return late().size() >= ENOUGH;
    }

    /** Whether the last step was late. */
    public boolean isLate() {
        return !lateTimes.isEmpty() && lateTimes.get(lateTimes.size() - 1) > 0;
    }

    /** How many times as long as usual its late steps took, in the middle; 1 if none was late. */
    double times() {
        return late().isEmpty() ? 1 : late().get(late().size() / 2);
    }

    /** In words. */
    public String why(String name) {
        return String.format(
                Locale.ROOT,
                "%s took %.1f times as long as usual in %d of its last %d steps",
                name,
                times(),
                late().size(),
                lateTimes.size());
    }

    private List<Double> late() {
        return lateTimes.stream().filter(t -> t > 0).sorted(Comparator.naturalOrder()).toList();
    }
}
