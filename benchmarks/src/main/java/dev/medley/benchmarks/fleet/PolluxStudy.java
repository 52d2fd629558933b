package dev.medley.benchmarks.fleet;

import dev.medley.base.time.Clock;
import dev.medley.fleet.elastic.ElasticCluster;
import dev.medley.fleet.elastic.ElasticJob;
import dev.medley.fleet.elastic.Knowledge;
import dev.medley.fleet.elastic.OptimusGains;
import dev.medley.fleet.elastic.SharesOptions;
import dev.medley.fleet.elastic.TiresiasQueues;
import dev.medley.fleet.elastic.trace.MeasuredModel;
import dev.medley.fleet.elastic.trace.WorkloadJob;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Plays Pollux's workloads: two of its baselines, to validate the cluster, and elastic shares with
 * each knowledge, at load 1.0 with each setting. {@code PolluxStudy SIMULATOR LOAD...} prints a
 * line of CSV for each workload; a load is 1.0, 0.5, 1.5, 2.0 or realistic.
 */
public final class PolluxStudy {
    private static final Clock CLOCK = Clock.system();
    private static final int WORKLOADS = 8;
    private static final String TUNED = "1.0";

    private final Path folder;
    private final Map<String, MeasuredModel> models;

    private PolluxStudy(Path folder) {
        this.folder = folder;
        models = MeasuredModel.readAll(folder.resolve("traces"));
    }

    /** Prints CSV. */
    public static void main(String[] arguments) {
        PolluxStudy study = new PolluxStudy(Path.of(arguments[0]));
        System.out.println(
                "load,workload,policy,knows,setting,mean_s,p50_s,p99_s,max_s,gpu_h,restarts,wall_s");
        for (String load : Arrays.asList(arguments).subList(1, arguments.length)) {
            for (int workload = 1; workload <= WORKLOADS; workload++) {
                study.play(load, workload);
            }
        }
    }

    private void play(String load, int number) {
        String suffix = load.equals(TUNED) ? "" : "-" + load;
        List<WorkloadJob> workload =
                WorkloadJob.read(
                        folder.resolve("workloads%s/workload-%d.csv".formatted(suffix, number)),
                        models);
        ElasticCluster.Size size = ElasticCluster.Size.POLLUX;
        String at = load + "," + number;
        long begin = CLOCK.nowNs();
        print(
                at + ",tiresias,,",
                begin,
                ElasticCluster.playFixed(size, workload, new TiresiasQueues()));
        begin = CLOCK.nowNs();
        print(
                at + ",optimus,,",
                begin,
                ElasticCluster.playFixed(size, workload, new OptimusGains()));
        for (Knowledge knowledge : Knowledge.values()) {
            for (SharesOptions options : load.equals(TUNED) ? grid(knowledge) : defaults()) {
                begin = CLOCK.nowNs();
                print(
                        "%s,elastic,%s,%.0f/%d"
                                .formatted(
                                        at,
                                        knowledge.name().toLowerCase(Locale.ROOT),
                                        options.horizonS(),
                                        options.firstWorkers()),
                        begin,
                        ElasticCluster.playElastic(size, workload, knowledge, options));
            }
        }
    }

    private static List<SharesOptions> defaults() {
        return List.of(SharesOptions.DEFAULTS);
    }

    private static List<SharesOptions> grid(Knowledge knowledge) {
        List<SharesOptions> grid = new ArrayList<>();
        for (double horizonS : new double[] {300, 600, 1200}) {
            boolean learns = knowledge != Knowledge.FULL;
            for (int first : learns ? new int[] {1, 2, 4} : new int[] {2}) {
                grid.add(new SharesOptions(horizonS, first));
            }
        }
        return grid;
    }

    private static void print(String row, long begin, List<ElasticJob> jobs) {
        double[] sorted =
                jobs.stream()
                        .mapToDouble(job -> job.endedS() - job.spec().arrivalS())
                        .sorted()
                        .toArray();
        System.out.printf(
                Locale.ROOT,
                "%s,%.3f,%.0f,%.0f,%.0f,%.1f,%d,%.1f%n",
                row,
                ElasticCluster.meanJctS(jobs),
                sorted[sorted.length / 2],
                sorted[(int) (0.99 * sorted.length)],
                sorted[sorted.length - 1],
                jobs.stream().mapToDouble(ElasticJob::gpuSeconds).sum() / 3600,
                jobs.stream().mapToInt(ElasticJob::restarts).sum(),
                (CLOCK.nowNs() - begin) / 1e9);
    }
}
