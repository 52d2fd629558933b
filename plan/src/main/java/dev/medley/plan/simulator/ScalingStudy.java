package dev.medley.plan.simulator;

import dev.medley.base.strategy.StrategySpec;
import dev.medley.plan.simulator.fabric.SimulatedCluster;
import dev.medley.plan.simulator.step.TrainingLoad;
import dev.medley.profile.cluster.Prices;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A study of what more machines bring: each strategy on the same mix of machines in growing number.
 *
 * @param cluster whose mix grows in proportion; its links stay as they are
 * @param load of the model
 * @param batch samples of one batch over the cluster as it is
 * @param growth of the batch with the number of machines
 * @param samples of the whole training
 * @param prices of machines and traffic; null where cost is not asked for
 * @param seed of everything that is drawn
 */
public record ScalingStudy(
        SimulatedCluster cluster,
        TrainingLoad load,
        int batch,
        Growth growth,
        double samples,
        @Nullable Prices prices,
        long seed) {
    private static final double SECONDS_PER_HOUR = 3600;

    /** What happens to the batch. */
    public enum Growth {
        /**
         * Each machine keeps its part: weak scaling. Learning with larger batches is not simulated.
         */
        GROWS,
        /** It stays: strong scaling. */
        FIXED
    }

    /** A strategy and what people call it. */
    public record Candidate(String name, StrategySpec strategy) {}

    /**
     * One strategy on so many machines.
     *
     * @param strategy its name
     * @param machines that take part
     * @param batch samples of one batch over all machines
     * @param samplesPerSecond of all of them
     * @param speedUp over one machine of the mean speed
     * @param efficiency part of the sum of speeds that is left
     * @param hours that the whole training takes, without evaluations and checkpoints
     * @param border the slowest link between two sites; null where all machines stand at one
     * @param borderBytesPerSample over it, both ways together; 0 where there is none
     * @param betweenBytes that the whole training moves over all links between sites
     * @param insideBytes that it moves inside sites
     * @param cost of machines and traffic between sites; null where no prices are given
     * @param stepMs from one exchange to the next
     * @param computeMs of it, of the machine that computes longest
     */
    public record Row(
            String strategy,
            int machines,
            int batch,
            double samplesPerSecond,
            double speedUp,
            double efficiency,
            double hours,
            @Nullable String border,
            double borderBytesPerSample,
            double betweenBytes,
            double insideBytes,
            @Nullable Double cost,
            double stepMs,
            double computeMs) {}

    /** A row for each strategy and number; numbers above a fixed batch are left out. */
    public List<Row> rows(List<Candidate> candidates, List<Integer> numbers) {
        List<Row> rows = new ArrayList<>();
        for (Candidate candidate : candidates) {
            for (int machines : numbers) {
                if (batchOf(machines) >= machines) {
                    rows.add(row(candidate, machines));
                }
            }
        }
        return rows;
    }

    private int batchOf(int machines) {
        return growth == Growth.FIXED
                ? batch
                : (int)
                        Math.min(
                                Integer.MAX_VALUE,
                                Math.max(machines, (long) batch * machines / cluster.size()));
    }

    private Row row(Candidate candidate, int machines) {
        SimulatedCluster scaled = cluster.ofSize(machines);
        int ofAll = batchOf(machines);
        SimulatedRun run = Simulator.run(scaled, load, candidate.strategy(), ofAll, seed);
        double seconds = samples / run.samplesPerSecond();
        SimulatedRun.Border border = run.slowestBorder();
        double betweenBytes = run.egressBytesPerSample() * samples;
        return new Row(
                candidate.name(),
                machines,
                ofAll,
                run.samplesPerSecond(),
                run.speedUp(),
                run.efficiency(),
                seconds / SECONDS_PER_HOUR,
                border == null ? null : border.sites(),
                border == null ? 0 : border.bytesPerSample(),
                betweenBytes,
                run.insideBytesPerSample() * samples,
                prices == null ? null : prices.of(scaled.machines(), seconds, betweenBytes),
                run.stepNs() / 1e6,
                run.computeNs() / 1e6);
    }
}
