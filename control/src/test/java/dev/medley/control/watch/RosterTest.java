package dev.medley.control.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.WorkerId;
import dev.medley.control.event.CallerId;
import dev.medley.control.event.Effect;
import dev.medley.control.event.Effect.Manner;
import dev.medley.control.event.Effects;
import dev.medley.net.control.Message;
import dev.medley.net.door.JoinSecret;
import dev.medley.net.membership.PauseKind;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class RosterTest {
    private static final WorkerId ONE = new WorkerId(1);
    private static final WorkerId TWO = new WorkerId(2);

    private final Effects effects = new Effects();
    private final Roster roster = new Roster(effects);
    private final CallerId one = new CallerId(3, JoinSecret.Kind.RUN);
    private final CallerId two = new CallerId(4, JoinSecret.Kind.RUN);
    private final CallerId stranger = new CallerId(5, JoinSecret.Kind.RUN);

    @BeforeEach
    void join() {
        roster.joined(TWO, two, 20);
        roster.joined(ONE, one, 10);
    }

    @Test
    void shouldKnowWhoIsWhoByConnectionAndByLaunch() {
        assertThat(roster.worker(one)).isEqualTo(ONE);
        assertThat(roster.worker(two)).isEqualTo(TWO);
        assertThat(roster.worker(stranger)).isNull();
        assertThat(roster.worker(10)).isEqualTo(ONE);
        assertThat(roster.worker(30)).isNull();
        assertThat(roster.workers()).as("in order of ids").containsExactly(ONE, TWO);
        assertThat(roster.callers()).containsExactly(one, two);
        assertThat(roster.size()).isEqualTo(2);
    }

    @Test
    void shouldHangUpOnTheLostAndNameTheirLaunchOnce() {
        assertThat(roster.lost(ONE)).contains(10);
        assertThat(roster.lost(ONE)).isEmpty();
        assertThat(effects.take()).containsExactly(new Effect.HangUp(one, Manner.AT_ONCE));
        assertThat(roster.workers()).containsExactly(TWO);
        assertThat(roster.worker(one)).isNull();
    }

    @Test
    void shouldForgetWhoHungUp() {
        roster.hungUp(stranger);
        assertThat(roster.size()).as("a stranger").isEqualTo(2);
        roster.hungUp(two);
        assertThat(roster.worker(20)).isNull();
        assertThat(roster.isEmpty()).isFalse();
        roster.hungUp(one);
        assertThat(roster.isEmpty()).isTrue();
    }

    @Test
    void shouldSendToThoseNamedWhoAreThere() {
        Message beat = new Message.Beat(0);
        Message pause = new Message.Pause(1, PauseKind.REFORM, "a wish");
        roster.send(List.of(TWO, new WorkerId(3)), beat);
        roster.send(roster.workers(), pause);
        assertThat(effects.take())
                .containsExactly(
                        new Effect.Send(two, beat),
                        new Effect.Send(one, pause),
                        new Effect.Send(two, pause));
    }
}
