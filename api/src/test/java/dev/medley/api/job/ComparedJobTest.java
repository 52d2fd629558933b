package dev.medley.api.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.job.JobTerms;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which keys make a machine's job another than the run's. */
@Tag("unit")
class ComparedJobTest {
    private static final String JOB =
            """
            data: {train: data/adult.csv, label: income}
            model: mlp
            train: {steps: 9, batch: 256, optimizer: {kind: adam, learning_rate: 0.01}}
            """;

    @Test
    void shouldNotMindWhereFilesLieAndWhatTheCommandSays() {
        JobTerms run =
                terms(
                        "/data/boss/project",
                        JOB + "name: adult\n",
                        "cluster.listen=0.0.0.0:7077",
                        "cluster.expect=4",
                        "cluster.credentials=certs/boss",
                        "cluster.join_timeout=3m",
                        "cluster.heartbeat=200ms");
        JobTerms machine = terms("/srv/platform", JOB, "cluster.listen=boss:7077");
        assertThat(machine.refusal("n1", run)).isNull();
    }

    @Test
    void shouldNameKeysAsAJobFileHasThem() {
        assertDiffers("train.batch=128", "train.batch is 128 in the run and 256 in mine.yaml");
        assertDiffers(
                "train.optimizer.learning_rate=0.1",
                "train.optimizer.learning_rate is 0.1 in the run and 0.01 in mine.yaml");
        assertDiffers("model.hidden=[8]", "model.hidden is [8] in the run and [256,64]");
        assertDiffers(
                "data.train=other.csv", "data.train is [other.csv] in the run and [adult.csv]");
        assertDiffers("seed=2", "seed is 2 in the run and 1 in mine.yaml");
        assertDiffers("checkpoint.keep=9", "checkpoint.keep is 9 in the run and 2 in mine.yaml");
    }

    /** What acts on the machine is for its owner to know, in {@code cluster} too. */
    @Test
    void shouldCompareWhatActsOnTheMachine() {
        assertDiffers(
                "cluster.java_options=[\"-XX:OnError=x\"]",
                "cluster.java_options is [\"-XX:OnError=x\"] in the run and [] in mine.yaml");
        assertDiffers("cluster.threads=7", "cluster.threads is 7 in the run and 0 in mine.yaml");
        assertDiffers("cluster.encrypt=none", "cluster.encrypt is none in the run and");
        JobTerms run = ComparedJob.terms(JobFileTest.job(JOB), "", List.of("content-1-own.jar"));
        JobTerms machine =
                ComparedJob.terms(JobFileTest.job(JOB), "mine.yaml", List.of("content-2-own.jar"));
        assertThat(machine.refusal("n1", run))
                .contains("cluster.class_path is [content-1-own.jar] in the run and [content-2-");
    }

    @Test
    void shouldSeeOptionsThatOnlyTheRunHas() {
        String own = "data: a\nmodel: {class: com.acme.Net}\n";
        JobTerms run = terms("/x", own, "model.options.command=rm");
        assertThat(terms("/x", own).refusal("n1", run))
                .contains("model.options.command is rm in the run and not there in mine.yaml");
    }

    private static void assertDiffers(String override, String expected) {
        JobTerms run = terms("/x", JOB, "cluster.listen=a:1", override);
        JobTerms machine = terms("/x", JOB, "cluster.listen=b:2");
        assertThat(machine.refusal("n1", run)).contains(": " + expected);
    }

    private static JobTerms terms(String folder, String yaml, String... overrides) {
        JobFile job = JobFile.parse("mine.yaml", yaml, Path.of(folder), List.of(overrides));
        return ComparedJob.terms(job.spec(), job.file(), List.of());
    }
}
