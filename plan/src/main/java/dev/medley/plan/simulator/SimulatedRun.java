package dev.medley.plan.simulator;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a strategy on a cluster, in the mean of the simulated steps.
 *
 * @param machines that take part
 * @param batch samples of one batch over all machines
 * @param shares samples of each machine between two exchanges, by site
 * @param steps that were simulated, without those to warm up
 * @param stepNs from one common step to the next
 * @param computeNs of the machine that computes longest
 * @param samplesPerSecond of all machines, losses of spot machines included
 * @param ownSamplesPerSecond what the machines would make with these shares if nobody waited for
 *     anybody: the sum of their speeds
 * @param borders bytes of a step over each pair of sites, both ways, the slowest link first
 * @param insideBytesPerSample that machines send to others of their own site
 * @param said remarks of the plans to the user meanwhile, each with its step
 */
public record SimulatedRun(
        int machines,
        int batch,
        List<Integer> shares,
        int steps,
        double stepNs,
        double computeNs,
        double samplesPerSecond,
        double ownSamplesPerSecond,
        List<Border> borders,
        double insideBytesPerSample,
        List<String> said) {
    /**
     * What crosses between two sites.
     *
     * @param sites their names
     * @param bytesPerStep both ways together
     * @param bytesPerSample both ways together
     */
    public record Border(String sites, double bytesPerStep, double bytesPerSample) {}

    public SimulatedRun {
        shares = List.copyOf(shares);
        borders = List.copyOf(borders);
        said = List.copyOf(said);
    }

    /** Part of the sum of speeds that is left. */
    public double efficiency() {
        return samplesPerSecond / ownSamplesPerSecond;
    }

    /** How many machines of the mean speed would do as much if nobody waited for anybody. */
    public double speedUp() {
        return efficiency() * machines;
    }

    /** The slowest link between two sites; null where all machines stand at one. */
    public @Nullable Border slowestBorder() {
        return borders.isEmpty() ? null : borders.get(0);
    }

    /** Bytes that leave sites, for each sample. */
    public double egressBytesPerSample() {
        return borders.stream().mapToDouble(Border::bytesPerSample).sum();
    }
}
