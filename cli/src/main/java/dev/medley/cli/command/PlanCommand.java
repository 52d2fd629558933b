package dev.medley.cli.command;

import dev.medley.api.job.PriceFile;
import dev.medley.api.plan.CandidateTable;
import dev.medley.api.plan.JobPlan;
import dev.medley.api.plan.PlanCluster;
import dev.medley.api.run.RunOptions;
import dev.medley.api.run.RunProgress;
import dev.medley.base.job.JobSpec;
import dev.medley.cli.option.DataOptions;
import dev.medley.cli.option.JobOptions;
import dev.medley.cli.option.JsonOption;
import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Says what a job would do, and why. */
@Command(
        name = "plan",
        header = "Say what a job would do, and why: workers, shares, strategy, memory, speed.",
        description = {
            "",
            "Prepares the data and tries the job for some seconds with all its workers, or with"
                    + " one",
            "where it is planned for other machines; nothing but the prepared data is kept. For"
                    + " machines",
            "that join or are in --cluster a table says what each strategy would do."
        },
        footer = {
            "",
            "Examples:",
            "  medley plan examples/quickstart.yaml",
            "  medley plan adult.csv --label income",
            "  medley plan job.yaml --workers 4 -s train.batch=512 --json",
            "  medley plan job.yaml --cluster cluster.yaml --prices prices.yaml"
        })
public final class PlanCommand extends Options implements Callable<Integer> {
    @Mixin private JsonOption json = new JsonOption();
    @Mixin private JobOptions job = new JobOptions();

    @Mixin private DataOptions data = new DataOptions();

    @Parameters(
            arity = "1",
            paramLabel = "JOB.yaml",
            description = "The job file; or data, also s3://BUCKET/KEY, with --label for a table.")
    private String file = "";

    @Option(
            names = "--cluster",
            paramLabel = "FILE",
            description =
                    "Plan for these machines: a cluster file as medley simulate takes it, or the"
                            + " JSON of one that was measured; see docs/planning.md.")
    private @Nullable Path cluster;

    @Option(
            names = "--prices",
            paramLabel = "FILE",
            description =
                    "Say what the budget costs: YAML with currency, machines (an hour, by type) and"
                            + " egress_per_gb.")
    private @Nullable Path prices;

    private final Terminal terminal;

    /** Prints to {@code terminal}. */
    public PlanCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        RunProgress preparing =
                new RunProgress() {
                    @Override
                    public void preparing(String phase, long done, long total) {
                        terminal.live(phase);
                    }
                };
        JobSpec planned = job.read(file, data, terminal);
        JobPlan plan = JobPlan.of(planned, question(), RunOptions.defaults(), preparing);
        terminal.endLive();
        if (!json.printed(terminal, plan)) {
            if (data.areMeant(file)) {
                terminal.print(DataOptions.said(planned));
            }
            terminal.print(plan.sentences());
        }
        return ExitCode.DONE;
    }

    private CandidateTable.Question question() {
        return new CandidateTable.Question(
                cluster == null ? null : PlanCluster.read(cluster),
                prices == null ? null : PriceFile.read(prices));
    }
}
