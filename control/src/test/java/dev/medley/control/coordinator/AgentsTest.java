package dev.medley.control.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Json;
import dev.medley.base.job.JobTerms;
import dev.medley.control.event.CallerId;
import dev.medley.control.event.Effect;
import dev.medley.control.event.Effect.Manner;
import dev.medley.control.event.Effects;
import dev.medley.control.launcher.Launcher.Exit;
import dev.medley.control.launcher.Launching.Terms;
import dev.medley.net.control.Message;
import dev.medley.net.control.Message.DismissalKind;
import dev.medley.net.door.JoinSecret;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Which machines may join, and what the others are told. */
@Tag("unit")
class AgentsTest {
    private static final long NOW_MILLIS = 1_790_000_000_000L;
    private static final long HOUR_MILLIS = 3_600_000;

    private static final JobTerms RUN = new JobTerms("mnist", "", Map.of("train.batch", "256"));

    private final Effects effects = new Effects();
    private final Agents agents = new Agents(new Terms("1.2.3", RUN, 1, 1), effects);
    private final CallerId agent = new CallerId(1, JoinSecret.Kind.CLUSTER);

    @Test
    void aMachineThatFitsShouldJoinAndHearOfWhatItIsFor() {
        assertThat(enlist("1.2.3", NOW_MILLIS + HOUR_MILLIS / 2)).isNull();
        assertThat(effects.take())
                .containsExactly(new Effect.Send(agent, new Message.Enlisted("mnist", 1, 1)));
        assertThat(agents.names()).containsExactly("n1");
        assertThat(agents.hasRoom()).isTrue();
    }

    @Test
    void anotherVersionShouldBeRefusedAndBothNamed() {
        assertRefused(
                enlist("0.9", NOW_MILLIS),
                "n1 is Medley 0.9, the coordinator is 1.2.3: use one build on all machines");
    }

    @Test
    void anotherBuildOfTheSameVersionShouldBeRefused() {
        assertRefused(
                enlist("1.2.3+0a1b2c3d", NOW_MILLIS),
                "n1 is Medley 1.2.3+0a1b2c3d, the coordinator is 1.2.3: use one build on all"
                        + " machines");
    }

    @Test
    void aClockThatIsHoursOffShouldBeRefusedAndSaidHowFar() {
        assertRefused(
                enlist("1.2.3", NOW_MILLIS + 3 * HOUR_MILLIS),
                "the clock of n1 is 3.0 hours ahead of the coordinator's: set it right");
    }

    @Test
    void aClockThatIsBehindShouldBeRefused() {
        assertRefused(
                enlist("1.2.3", NOW_MILLIS - HOUR_MILLIS * 3 / 2),
                "the clock of n1 is 1.5 hours behind the coordinator's: set it right");
    }

    @Test
    void aMachineThatServesAnotherJobShouldBeRefusedAndTheDifferenceNamed() {
        JobTerms other = new JobTerms("mine", "mine.yaml", Map.of("train.batch", "128"));
        assertRefused(
                enlist("1.2.3", NOW_MILLIS, Json.tree(other)),
                "n1 serves mine.yaml (job mine) alone, and this is a run of mnist: train.batch is"
                        + " 256 in the run and 128 in mine.yaml; give it the job file and the"
                        + " settings of the run, or start it without --job");
    }

    @Test
    void aMachineThatServesThisJobShouldJoin() {
        JobTerms same = new JobTerms("mine", "mine.yaml", RUN.values());
        assertThat(enlist("1.2.3", NOW_MILLIS, Json.tree(same))).isNull();
        assertThat(effects.take())
                .containsExactly(new Effect.Send(agent, new Message.Enlisted("mnist", 1, 1)));
    }

    /** What another build says of its job may have another form. */
    @Test
    void anotherBuildWithAJobShouldBeRefusedForItsBuild() {
        assertThat(enlist("0.9", NOW_MILLIS, Json.tree(List.of("what?"))))
                .contains("n1 is Medley 0.9");
    }

    /** A run goes on whatever somebody says who knows its token. */
    @Test
    void aJobThatIsNoneShouldBeRefused() {
        for (Object job : List.of(List.of("what?"), Map.of("name", "adult"), "adult")) {
            assertThat(enlist("1.2.3", NOW_MILLIS, Json.tree(job)))
                    .isEqualTo("n1 says of its job what cannot be read: start it anew");
        }
    }

    @Test
    void whatAWorkerNeedsShouldStayUntilItRunsOrItsMachineIsFree() {
        assertThat(enlist("1.2.3", NOW_MILLIS)).isNull();
        launch(1);
        assertThat(agents.started(agent, 2)).as("another has it").isFalse();
        assertThat(effects.take()).isEmpty();
        assertThat(agents.started(agent, 1)).isTrue();
        assertSettled(1);
        assertThat(agents.exited(agent, new Message.Exited(1, 0, "", ""))).isNotNull();
        launch(2);
        assertThat(agents.exited(agent, new Message.Exited(2, -1, "no room", ""))).isNotNull();
        assertSettled(2);
        launch(3);
        Agents.Gone gone = agents.gone(agent);
        assertThat(gone).isNotNull();
        assertThat(gone.exit()).isEqualTo(new Exit(3, -1, "the agent on n1 is gone", ""));
        assertSettled(3);
    }

    @Test
    void aMachineWhoseWorkerCouldNotBeStartedShouldBeFreeAgain() {
        assertThat(enlist("1.2.3", NOW_MILLIS)).isNull();
        launch(1);
        assertThat(agents.hasRoom()).isFalse();
        assertThat(agents.launch(2)).isFalse();
        agents.notLaunched(1);
        launch(3);
    }

    private void launch(int launch) {
        List<Effect> before = effects.take();
        assertThat(agents.launch(launch)).as("after %s", before).isTrue();
        assertThat(effects.take()).containsExactly(new Effect.LaunchAt(launch, agent));
    }

    private void assertSettled(int launch) {
        assertThat(effects.take()).contains(new Effect.Settled(launch));
    }

    private String enlist(String version, long wallMillis) {
        return enlist(version, wallMillis, null);
    }

    private String enlist(String version, long wallMillis, @Nullable JsonNode job) {
        Message.Offer offer =
                new Message.Offer(version, "n1", "", wallMillis, job, Json.tree(Map.of()));
        return agents.enlist(agent, offer, NOW_MILLIS, 0);
    }

    private void assertRefused(String why, String expected) {
        assertThat(why).isEqualTo(expected);
        assertThat(effects.take())
                .containsExactly(
                        new Effect.Send(
                                agent, new Message.Dismissed(DismissalKind.REFUSED, expected)),
                        new Effect.HangUp(agent, Manner.ONCE_SENT));
        assertThat(agents.names()).isEmpty();
        assertThat(agents.hasRoom()).isFalse();
    }
}
