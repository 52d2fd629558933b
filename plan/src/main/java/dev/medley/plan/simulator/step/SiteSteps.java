package dev.medley.plan.simulator.step;

import dev.medley.base.strategy.StrategySpec;
import dev.medley.plan.simulator.fabric.EventQueue;
import dev.medley.plan.simulator.fabric.Fabric;
import dev.medley.plan.simulator.fabric.RoundActivity;
import dev.medley.plan.simulator.sum.LinkSums;
import dev.medley.plan.simulator.sum.Sums;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleConsumer;

/**
 * Simulates hybrid: the workers of a site sum their gradients in each inner step, while backward
 * goes on, as all do in data-parallel. A site takes as many steps as its samples make in inner
 * batches for each of its workers, and each worker cuts its own evenly into them, as {@code
 * ShareBatches} does in a run. A step begins at a site when the one before is done there.
 */
public final class SiteSteps implements RoundActivity {
    private final EventQueue events;
    private final Fabric fabric;
    private final int innerBatch;
    private final List<Site> sites = new ArrayList<>();

    /**
     * Steps of all sites.
     *
     * @param load whose buckets are summed
     * @param innerBatch samples of a step for each worker, in the mean
     */
    public SiteSteps(
            EventQueue events, Fabric fabric, TrainingLoad load, int innerBatch, long seed) {
        this.events = events;
        this.fabric = fabric;
        this.innerBatch = innerBatch;
        TrainingLoad gradients =
                new TrainingLoad(load.name(), load.buckets(), 0, load.parameters());
        for (int site = 0; site < fabric.sites().sites(); site++) {
            sites.add(new Site(fabric.ofSite(site), gradients, seed + site));
        }
    }

    @Override
    public void begin(List<Integer> shares) {
        sites.forEach(Site::begin);
    }

    @Override
    public void take(Turn turn, DoubleConsumer done) {
        int site = fabric.siteOf(turn.rank());
        int mate = fabric.sites().at(site).indexOf(turn.rank());
        sites.get(site).enter(mate, turn.samples(), done);
    }

    /** The workers of one site, who take each step as one. */
    private final class Site {
        private final List<SimulatedWorker> mates = new ArrayList<>();
        private final Sums sums;
        private final int[] samples;
        private final double[] computeNs;
        private final DoubleConsumer[] done;
        private int entered;
        private int steps;
        private int step;
        private int ended;

        Site(Fabric here, TrainingLoad load, long seed) {
            int size = here.size();
            StrategySpec everyStep = StrategySpec.defaults();
            StepShape shape = StepShape.of(load, everyStep, size, innerBatch * size);
            sums = LinkSums.of(events, here, shape.slices(), everyStep, (m, slice) -> summed(m));
            for (int mate = 0; mate < size; mate++) {
                mates.add(new SimulatedWorker(events, here, sums, shape, mate, seed));
            }
            samples = new int[size];
            computeNs = new double[size];
            done = new DoubleConsumer[size];
        }

        void begin() {
            entered = 0;
            step = 0;
        }

        void enter(int mate, int ofRound, DoubleConsumer whenDone) {
            samples[mate] = ofRound;
            computeNs[mate] = 0;
            done[mate] = whenDone;
            if (++entered == mates.size()) {
                long all = Arrays.stream(samples).asLongStream().sum();
                long ofStep = (long) innerBatch * mates.size();
                steps = (int) Math.max(1, (all + ofStep - 1) / ofStep);
                next();
            }
        }

        private void next() {
            ended = 0;
            sums.begin();
            for (int mate = 0; mate < mates.size(); mate++) {
                long from = (long) samples[mate] * step / steps;
                long to = (long) samples[mate] * (step + 1) / steps;
                mates.get(mate).beginNow((int) (to - from));
            }
        }

        private void summed(int mate) {
            SimulatedWorker worker = mates.get(mate);
            worker.hasSum();
            if (!worker.isDone()) {
                return;
            }
            computeNs[mate] += worker.computeNs();
            if (++ended < mates.size()) {
                return;
            }
            if (++step < steps) {
                next();
            } else {
                for (int i = 0; i < done.length; i++) {
                    done[i].accept(computeNs[i]);
                }
            }
        }
    }
}
