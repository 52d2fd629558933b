package dev.medley.benchmarks.compute;

import com.sun.management.OperatingSystemMXBean;
import dev.medley.base.Json;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.Batch;
import dev.medley.base.time.Clock;
import dev.medley.tensor.Torch;
import dev.medley.tensor.model.ReadyListener;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.ReplicaOptions;
import dev.medley.tensor.model.StepLoss;
import dev.medley.tensor.optimizer.Optimizer;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Trains one task for a while and prints a {@link Measurement} as its last line. Like the peer, it
 * gathers each batch from fixed samples within the measured time.
 */
public final class MedleyProcess {
    private MedleyProcess() {}

    /** Arguments: task, precision, seconds, warm-up steps, threads. */
    public static void main(String[] arguments) {
        Task task = Task.valueOf(arguments[0]);
        Precision precision = Precision.valueOf(arguments[1]);
        double seconds = Double.parseDouble(arguments[2]);
        int warm = Integer.parseInt(arguments[3]);
        Torch.start(Integer.parseInt(arguments[4]));
        Samples samples = Samples.of(task);
        List<Long> stepNs = new ArrayList<>();
        Clock clock = Clock.system();
        try (Replica replica = task.replica(ReplicaOptions.of(1, precision));
                Optimizer optimizer = replica.optimizer(task.optimizer())) {
            long cpuNs = 0;
            long endNs = Long.MAX_VALUE;
            for (long step = 1; clock.nowNs() < endNs; step++) {
                long startNs = clock.nowNs();
                if (step == warm + 1) {
                    cpuNs = cpuNs();
                    endNs = startNs + (long) (seconds * 1e9);
                }
                Batch batch = samples.batch(step);
                replica.zeroGradients();
                StepLoss loss = replica.forwardBackward(batch, step, ReadyListener.NONE);
                optimizer.apply(1, loss.weight(), 1);
                if (step > warm) {
                    stepNs.add(clock.nowNs() - startNs);
                }
            }
            print(task, stepNs, cpuNs() - cpuNs);
        }
    }

    private static void print(Task task, List<Long> stepNs, long cpuNs) {
        long[] sorted = stepNs.stream().mapToLong(Long::longValue).sorted().toArray();
        double totalNs = Arrays.stream(sorted).sum();
        System.out.println(
                Json.line(
                        new Measurement(
                                sorted.length,
                                task.batch() * sorted.length * 1e9 / totalNs,
                                sorted[sorted.length / 2] / 1e6,
                                cpuNs / 1e6 / sorted.length)));
    }

    private static long cpuNs() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }
}
