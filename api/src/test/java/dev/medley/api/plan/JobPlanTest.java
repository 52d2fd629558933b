package dev.medley.api.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.api.run.RunOptions;
import dev.medley.api.run.RunProgress;
import dev.medley.api.run.Runs;
import dev.medley.api.run.SmallJob;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.JoinSpec;
import dev.medley.base.strategy.BorderCodec;
import dev.medley.base.strategy.CodecSpec;
import dev.medley.base.strategy.QuorumSpec;
import dev.medley.base.strategy.RoundSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StrategySpec.Kind;
import dev.medley.base.strategy.StrategySpec.Stragglers;
import dev.medley.profile.cluster.Prices;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a plan for other machines says line by line; each tries the job with a real worker process.
 */
@Tag("real")
class JobPlanTest {
    private static final String CLUSTER =
            """
            machines:
              - {name: a, site: aws, speed: 1x}
              - {name: g, site: gcp, count: 2, speed: 0.5x}
            links:
              between: {latency: 20 ms, bandwidth: 100 Mbit/s}
            """;

    /** What is said needs steps, and not that their time is sure. */
    private static final long TRIAL_MILLIS = 100;

    @TempDir Path folder;

    @Test
    void shouldSayOfMachinesThatAreNamedWhatIsTrueOfThem() throws IOException {
        JobSpec job = job(StrategySpec.defaults(Kind.AUTO));
        List<String> lines = lines(joining(job), cluster());
        assertThat(lines.get(2)).startsWith("machines: 3 of the cluster file; ");
        assertThat(lines.get(3))
                .startsWith("tried here: one worker of ")
                .contains("all 12 samples");
        assertThat(lines.get(4)).startsWith("strategy: auto chooses when the machines are there; ");
        assertThat(lines.get(5)).matches("length: 100 batches, [\\d,]+ batches an epoch");
        assertThat(lines.get(6)).startsWith("speed here: about ").contains("of that one worker");
        assertThat(lines.get(7))
                .startsWith("candidates: for 3 machines (a at aws; 2 x g 0.50x at gcp)");
        assertThat(String.join("\n", lines))
                .doesNotContain("with nobody", "with all workers", "duration:", "not known yet");
    }

    @Test
    void shouldSayHowMachinesWouldExchange() throws IOException {
        RoundSpec rounds = RoundSpec.defaults(Kind.DILOCO).every(8).waitingFor(QuorumSpec.of(2));
        BorderCodec thin = new BorderCodec("aws", "gcp", Compress.INT4);
        StrategySpec diloco =
                StrategySpec.defaults(Kind.DILOCO)
                        .with(rounds)
                        .with(Compress.INT8, CodecSpec.DEFAULT.at(List.of(thin)));
        List<String> lines = lines(job(diloco), cluster());
        assertThat(lines.get(3)).contains("all 96 samples");
        assertThat(lines.get(4))
                .startsWith("strategy: diloco: each worker takes steps of 4 samples by itself; ")
                .contains("through the links between the machines, and where 2 of 3 are done")
                .endsWith("; between sites they travel as int8; from aws to gcp as int4");
        assertThat(lines.get(5)).contains(" rounds an epoch");
    }

    @Test
    void shouldTakeMachinesThatWillJoinForOnesLikeThis() throws IOException {
        JobSpec joining = joining(job(StrategySpec.defaults()));
        Stragglers shrinking = new Stragglers(Stragglers.Policy.SHRINK, 3);
        JobSpec job = joining.with(joining.strategy().with(shrinking));
        List<String> lines = lines(job, CandidateTable.Question.NONE);
        assertThat(lines.get(2))
                .startsWith("machines: 2 that join at 127.0.0.1:7077; which they are is not known");
        assertThat(lines.get(4))
                .startsWith(
                        "strategy: every step all workers sum their gradients through the links")
                .doesNotContain("shared memory");
        assertThat(lines.get(7)).startsWith("candidates: for 2 machines ").endsWith("assumed");
    }

    @Test
    void shouldSayOneSpeedOfThisMachineAndGuessNothing() throws IOException {
        Prices prices = new Prices("EUR", Map.of("this", 3600.0), 0);
        JobPlan plan =
                JobPlan.of(
                        job(StrategySpec.defaults()),
                        new CandidateTable.Question(null, prices),
                        Runs.in(folder.resolve("runs"), folder.resolve("cache")),
                        new RunProgress() {},
                        TRIAL_MILLIS);
        String said = String.join("\n", plan.sentences());
        assertThat(plan.candidates()).isNull();
        assertThat(said).containsOnlyOnce("samples/s").doesNotContain("candidates:", "guess");
        assertThat(said).contains("costs: ").contains(" EUR of steps on this machine");
        assertThat(plan.sentences()).last().asString().contains("--cluster FILE");
    }

    private List<String> lines(JobSpec job, CandidateTable.Question question) {
        RunOptions options = Runs.in(folder.resolve("runs"), folder.resolve("cache"));
        return JobPlan.of(job, question, options, new RunProgress() {}, TRIAL_MILLIS).sentences();
    }

    private JobSpec job(StrategySpec strategy) throws IOException {
        return SmallJob.in(folder, 2, 100).strategy(strategy).job();
    }

    private static JobSpec joining(JobSpec job) {
        return job.with(job.cluster().joining(JoinSpec.at("127.0.0.1:7077")));
    }

    private CandidateTable.Question cluster() throws IOException {
        Path file = Files.writeString(folder.resolve("cluster.yaml"), CLUSTER);
        return new CandidateTable.Question(PlanCluster.read(file), null);
    }
}
