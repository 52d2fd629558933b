package dev.medley.base.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class JobTermsTest {
    private static final JobTerms RUN =
            of("adult", "", "seed=1", "train.batch=256", "strategy.kind=gossip");

    @Test
    void theFirstKeyThatDiffersShouldBeNamedWithBothValues() {
        JobTerms mine =
                of("mine", "jobs/JOB.yaml", "train.batch=128", "seed=1", "strategy.kind=diloco");
        assertThat(mine.refusal("gpu-1", RUN))
                .isEqualTo(
                        "gpu-1 serves jobs/JOB.yaml (job mine) alone, and this is a run of adult:"
                                + " train.batch is 256 in the run and 128 in JOB.yaml; give it the"
                                + " job file and the settings of the run, or start it without"
                                + " --job");
    }

    @Test
    void equalValuesShouldBeOneJobWhateverTheyAreCalled() {
        JobTerms mine = of("mine", "JOB.yaml", "strategy.kind=gossip", "train.batch=256", "seed=1");
        assertThat(mine.refusal("gpu-1", RUN)).isNull();
        JobTerms come = Json.parse(Json.line(mine), JobTerms.class);
        assertThat(come).isEqualTo(mine);
        assertThat(come.values().keySet()).containsExactlyElementsOf(mine.values().keySet());
    }

    @Test
    void aKeyThatOnlyOneHasShouldBeADifference() {
        JobTerms less = of("mine", "JOB.yaml", "seed=1", "train.batch=256");
        assertThat(less.refusal("gpu-1", RUN))
                .contains("strategy.kind is gossip in the run and not there in JOB.yaml");
        JobTerms more =
                of("m", "JOB.yaml", "seed=1", "train.batch=256", "strategy.kind=gossip", "x=y");
        assertThat(more.refusal("gpu-1", RUN)).contains("x is not there in the run and y in JOB");
    }

    @Test
    void changesShouldBeSaidKeyByKey() {
        assertThat(RUN.changes(RUN)).isEmpty();
        JobTerms later = of("adult", "", "seed=1", "train.batch=128", "model.family=mlp");
        assertThat(RUN.changes(later))
                .isEqualTo(
                        "train.batch was 256 and is 128, strategy.kind was gossip and is not there,"
                                + " model.family was not there and is mlp");
        JobTerms other = of("adult", "", "a=1", "b=2");
        assertThat(RUN.changes(other)).endsWith(" and 2 more");
    }

    /** The run may have chosen it, and go on with it when it is resumed. */
    @Test
    void anOpenStrategyShouldTakeAnyAndOnlyAStrategy() {
        JobTerms open =
                of(
                        "mine",
                        "JOB.yaml",
                        "strategy.kind=auto",
                        "strategy.x=1",
                        "seed=1",
                        "train.batch=256");
        assertThat(open.refusal("gpu-1", RUN)).isNull();
        JobTerms other = of("m", "JOB.yaml", "strategy.kind=auto", "seed=2", "train.batch=256");
        assertThat(other.refusal("gpu-1", RUN)).contains("seed is 1 in the run and 2 in JOB.yaml");
        JobTerms named = of("m", "JOB.yaml", "strategy.kind=gossip");
        assertThat(named.refusal("gpu-1", of("m", "", "strategy.kind=auto")))
                .contains("strategy.kind is auto in the run and gossip in JOB.yaml");
    }

    @Test
    void whatIsNoRunShouldBeToldFromAnotherJob() {
        JobTerms mine = of("mine", "JOB.yaml", "seed=1");
        assertThat(mine.refusal("gpu-1", JobTerms.ofNoJob("a look at the cluster")))
                .isEqualTo(
                        "gpu-1 serves JOB.yaml (job mine) alone, and a look at the cluster is no"
                                + " run of it: start it without --job for that");
    }

    @Test
    void aLongValueShouldBeCut() {
        JobTerms mine = of("mine", "JOB.yaml", "seed=1");
        assertThat(mine.refusal("gpu-1", of("a", "", "seed=" + "9".repeat(1000))))
                .hasSizeLessThan(300);
    }

    private static JobTerms of(String name, String file, String... lines) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String line : lines) {
            String[] parts = line.split("=", 2);
            values.put(parts[0], parts[1]);
        }
        return new JobTerms(name, file, values);
    }
}
