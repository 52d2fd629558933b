package dev.medley.examples;

import dev.medley.api.job.JobFile;
import dev.medley.api.run.JobRun;
import dev.medley.api.run.RunOptions;
import dev.medley.api.run.RunProgress;
import dev.medley.api.run.RunResult;
import dev.medley.api.simulate.Simulation;
import dev.medley.base.Seeds;
import dev.medley.base.job.JobSpec;
import dev.medley.plan.efficiency.EfficiencyTable;
import dev.medley.plan.simulator.ScalingStudy.Growth;
import dev.medley.record.folder.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Trains a small job by a strategy whose classes are before Medley's own on the class path, and by
 * data parallelism; simulates it on the machines of an example, and asks what its samples are
 * worth.
 */
final class AddedStrategy {
    private AddedStrategy() {}

    /** Takes a folder, the word of the strategy and a cluster file; prints what came of it. */
    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        table(folder);
        JobSpec added = train(folder, arguments[1]);
        JobSpec unused = train(folder, "data-parallel");
        Simulation simulation =
                Simulation.of(
                        Path.of(arguments[2]),
                        added,
                        new Simulation.Question(List.of(4), Growth.FIXED, null),
                        RunProgress.NONE);
        simulation.rows().forEach(row -> System.out.println("simulated " + row.strategy()));
        System.out.println(EfficiencyTable.shipped().of(added.strategy()).words());
    }

    private static void table(Path folder) throws IOException {
        RandomGenerator random = Seeds.generator(7);
        StringBuilder table = new StringBuilder("a,b,label\n");
        for (int i = 0; i < 400; i++) {
            double a = random.nextGaussian();
            double b = random.nextGaussian();
            table.append(a).append(',').append(b).append(a > b ? ",yes\n" : ",no\n");
        }
        Files.writeString(folder.resolve("table.csv"), table);
    }

    private static JobSpec train(Path folder, String strategy) {
        String job =
                """
                name: added
                data: {train: table.csv, label: label}
                model: linear
                train: {epochs: 6, batch: 32, optimizer: {kind: sgd, learning_rate: 0.1}}
                strategy: %s
                cluster: {workers: 2, java_options: ['-XX:TieredStopAtLevel=1']}
                """
                        .formatted(strategy);
        JobSpec spec = JobFile.parse("added.yaml", job, folder, List.of()).spec();
        RunResult result =
                JobRun.train(
                        spec,
                        RunOptions.in(folder.resolve("runs"), folder.resolve("cache")),
                        RunProgress.NONE);
        var evaluations = RunRecord.read(result.folder()).evaluations();
        System.out.println(
                strategy
                        + " "
                        + result.outcome().kind()
                        + " loss="
                        + evaluations.get(evaluations.size() - 1).loss());
        return spec;
    }
}
