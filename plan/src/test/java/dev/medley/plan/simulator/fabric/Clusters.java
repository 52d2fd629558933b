package dev.medley.plan.simulator.fabric;

import dev.medley.plan.simulator.step.TrainingLoad;
import dev.medley.plan.simulator.step.TrainingLoad.Bucket;
import dev.medley.profile.cluster.LinkPath;
import dev.medley.profile.cluster.Machine;
import dev.medley.profile.cluster.Origin;
import dev.medley.profile.speed.StepTime;
import java.util.List;

/** Clusters and models of tests. */
public final class Clusters {
    public static final LinkPath GIGABIT = way(0.1, 1e9);
    public static final LinkPath THIN = way(20, 1e8);

    /** So fast that nothing is felt; a link has to have some bandwidth. */
    public static final LinkPath FREE = new LinkPath(0, 1e18, Origin.DECLARED);

    private Clusters() {}

    public static LinkPath way(double latencyMs, double bitsPerSecond) {
        return new LinkPath((long) (latencyMs * 1e6), bitsPerSecond / 8, Origin.DECLARED);
    }

    public static SimulatedMachine kind(String name, String site, int count, double betaMs) {
        Machine machine = new Machine(name, site, "test", 1L << 34, null);
        return new SimulatedMachine(
                machine, count, new StepTime(0, betaMs * 1e6), 125e6, Disturbance.NONE);
    }

    /** On a free network. */
    public static SimulatedMachine unlimited(SimulatedMachine kind) {
        return new SimulatedMachine(kind.machine(), kind.count(), kind.time(), 1e18, kind.unrest());
    }

    /** One process on a full core makes about 1,890 samples/s with fashion-cnn. */
    static SimulatedMachine emulated(String name, String site, double core) {
        SimulatedMachine kind = kind(name, site, 1, 0.53 / core);
        Disturbance unrest = Disturbance.NONE.withQuota(core, 20_000_000);
        return new SimulatedMachine(kind.machine(), 1, kind.time(), 125e6, unrest);
    }

    /** fashion-cnn: two convolutions and two fully connected layers, 421,642 parameters. */
    public static TrainingLoad fashionCnn() {
        return new TrainingLoad(
                "fashion-cnn",
                List.of(new Bucket(1_611_392, 4 / 8.0), new Bucket(75_520, 1)),
                0,
                421_642);
    }

    public static TrainingLoad ofBytes(long bytes) {
        return new TrainingLoad("test", List.of(new Bucket(bytes, 1)), 0, bytes / 4);
    }
}
