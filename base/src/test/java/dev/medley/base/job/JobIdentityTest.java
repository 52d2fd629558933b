package dev.medley.base.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.strategy.StrategySpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

@Tag("unit")
class JobIdentityTest {
    private static final JobSpec JOB = JobSpecTest.job(32, ClusterSpec.ofWorkers(3));
    private static final JobIdentity OURS = new JobIdentity("adult", "5f0c2a91");

    @Test
    void anEqualJobShouldHaveAnEqualOneWhereverItCame() {
        JobSpec come = Json.parse(Json.line(JOB), JobSpec.class);
        assertThat(JobIdentity.of(come)).isEqualTo(JobIdentity.of(JOB));
        assertThat(JobIdentity.of(JOB).toString()).matches("test\\+[0-9a-f]{8}");
    }

    @Test
    void anotherValueShouldMakeAnotherOne() {
        JobSpec other = JobSpecTest.job(33, ClusterSpec.ofWorkers(3));
        assertThat(JobIdentity.of(other)).isNotEqualTo(JobIdentity.of(JOB));
    }

    /** The order of a map's entries differs from process to process. */
    @Test
    void itShouldNotHangOnTheOrderOfKeys() {
        JsonNode one = Json.parse("[{\"a\":1,\"b\":{\"c\":2,\"d\":3}}]", JsonNode.class);
        JsonNode two = Json.parse("[{\"b\":{\"d\":3,\"c\":2},\"a\":1}]", JsonNode.class);
        JsonNode other = Json.parse("[{\"b\":{\"d\":2,\"c\":3},\"a\":1}]", JsonNode.class);
        assertThat(JobIdentity.of("x", two)).isEqualTo(JobIdentity.of("x", one));
        assertThat(JobIdentity.of("x", other)).isNotEqualTo(JobIdentity.of("x", one));
    }

    @Test
    void anotherJobShouldBeRefusedAndBothNamed() {
        assertThat(JobIdentity.refusal("worker 3", "mnist+0b7e44d2", "run adult-1", OURS))
                .isEqualTo(
                        "worker 3 was started for job mnist+0b7e44d2, but run adult-1 is of job"
                                + " adult+5f0c2a91: start it with that job");
        assertThat(JobIdentity.refusal("worker 3", "adult+5f0c2a91", "run adult-1", OURS)).isNull();
    }

    /** What strangers say is not repeated in a record that people read. */
    @Test
    void whatIsNoJobShouldNotBeRepeated() {
        assertThat(JobIdentity.refusal("worker 3", "\u001b[31mmine", "run adult-1", OURS))
                .startsWith("worker 3 was started for no known job, but run adult-1");
        assertThat(JobIdentity.shown("")).isEqualTo("no known job");
        assertThatThrownBy(() -> new JobIdentity("adult", "xyz"))
                .isInstanceOf(ConfigException.class);
    }

    @Test
    void aWorkerShouldTakeItsJobWithAnyStrategyAndNoOther() {
        JobStart start = JobStart.parse(JobStart.of(JOB).text());
        assertThat(start.isFor(JOB)).isTrue();
        assertThat(start.isFor(JOB.with(StrategySpec.defaults(StrategySpec.Kind.DILOCO)))).isTrue();
        JobStart alike = new JobStart(start.job(), "0" + start.digest(), start.strategy());
        assertThat(alike.isFor(JOB)).as("few letters are for people").isFalse();
        assertThat(start.isFor(JobSpecTest.job(33, ClusterSpec.ofWorkers(3)))).isFalse();
    }
}
