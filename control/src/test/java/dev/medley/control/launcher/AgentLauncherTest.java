package dev.medley.control.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Json;
import dev.medley.base.job.JobTerms;
import dev.medley.control.launcher.AgentLauncher.Terms;
import dev.medley.net.control.ControlConnection;
import dev.medley.net.control.ControlServer;
import dev.medley.net.control.Message;
import dev.medley.net.control.Message.DismissalKind;
import dev.medley.net.door.FrameKey;
import dev.medley.net.door.JoinSecret;
import dev.medley.net.door.Recognition;
import dev.medley.net.door.Recognition.Known;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Which machines may join, and what the others are told, over a real connection. */
@Tag("unit")
@Timeout(600)
class AgentLauncherTest {
    private static final JoinSecret PASS = JoinSecret.ofCluster("secret");
    private static final long NOW_MILLIS = 1_790_000_000_000L;
    private static final long HOUR_MILLIS = 3_600_000;

    private static final JobTerms RUN = new JobTerms("mnist", "", Map.of("train.batch", "256"));

    private final Needed needs = new Needed();
    private final AgentLauncher launcher = new AgentLauncher(new Terms("1.2.3", RUN, 1, 1), needs);
    private final Told coordinator = new Told();
    private final Told agent = new Told();
    private ControlServer server;
    private ControlConnection own;
    private ControlConnection theirs;

    /** What was asked for by which launch, and is not any more. */
    private static final class Needed implements AgentLauncher.Needs {
        final List<Integer> open = new ArrayList<>();

        @Override
        public Object of(int launch) {
            open.add(launch);
            return "work";
        }

        @Override
        public void settled(int launch) {
            open.remove((Integer) launch);
        }
    }

    /** What reached one side. */
    private static final class Told implements ControlConnection.Handler {
        final BlockingQueue<ControlConnection> from = new LinkedBlockingQueue<>();
        final BlockingQueue<Message> words = new LinkedBlockingQueue<>();

        @Override
        public void received(ControlConnection connection, Message message) {
            from.add(connection);
            words.add(message);
        }

        @Override
        public void closed(ControlConnection connection, String why) {}
    }

    @BeforeEach
    void connect() throws Exception {
        server = ControlServer.onLoopback(PASS, coordinator);
        theirs =
                ControlConnection.connect(
                        server.address(), TimeUnit.SECONDS.toNanos(10), PASS, agent);
        theirs.send(new Message.Present());
        own = coordinator.from.poll(30, TimeUnit.SECONDS);
        assertThat(coordinator.words.poll(30, TimeUnit.SECONDS)).isEqualTo(new Message.Present());
    }

    @AfterEach
    void close() throws Exception {
        theirs.close();
        server.close();
    }

    @Test
    void aMachineThatFitsShouldJoinAndHearOfWhatItIsFor() throws Exception {
        assertThat(enlist("1.2.3", NOW_MILLIS + HOUR_MILLIS / 2)).isNull();
        assertThat(next()).isEqualTo(new Message.Enlisted("mnist", 1, 1));
        assertThat(launcher.names()).containsExactly("n1");
        assertThat(launcher.hasRoom()).isTrue();
    }

    @Test
    void anotherVersionShouldBeRefusedAndBothNamed() throws Exception {
        assertRefused(
                enlist("0.9", NOW_MILLIS),
                "n1 is Medley 0.9, the coordinator is 1.2.3: use one build on all machines");
    }

    @Test
    void anotherBuildOfTheSameVersionShouldBeRefused() throws Exception {
        assertRefused(
                enlist("1.2.3+0a1b2c3d", NOW_MILLIS),
                "n1 is Medley 1.2.3+0a1b2c3d, the coordinator is 1.2.3: use one build on all"
                        + " machines");
    }

    /** Later builds may say more of a machine, or less. */
    @Test
    void anOfferOfAnotherShapeShouldBeRefusedForItsVersion() throws Exception {
        ObjectNode said =
                Json.tree(new Message.Offer("9.9", "n2", "", NOW_MILLIS, null, Json.tree(1)))
                        .asObject();
        said.put("type", "Offer").put("gpus", 4).remove("wallMillis");
        try (Socket other = new Socket(server.address().getAddress(), server.address().getPort())) {
            DataOutputStream out = new DataOutputStream(other.getOutputStream());
            DataInputStream in = new DataInputStream(other.getInputStream());
            Known known = Recognition.asCaller(in, out, PASS, "it");
            byte[] json = Json.bytes(said);
            out.writeInt(json.length);
            out.write(known.fromCaller().sign(json));
            out.write(json);
            Message heard = coordinator.words.poll(30, TimeUnit.SECONDS);
            assertThat(heard).isInstanceOf(Message.Offer.class);
            launcher.enlist(coordinator.from.take(), (Message.Offer) heard, NOW_MILLIS, 0);
            int length = in.readInt();
            byte[] signature = in.readNBytes(FrameKey.SIGNATURE_BYTES);
            byte[] heardBack = in.readNBytes(length);
            assertThat(known.fromHost().isSigned(heardBack, signature)).isTrue();
            String answer = new String(heardBack, StandardCharsets.UTF_8);
            assertThat(answer)
                    .contains("REFUSED", "n2 is Medley 9.9, the coordinator is 1.2.3: use one");
        }
    }

    @Test
    void aClockThatIsHoursOffShouldBeRefusedAndSaidHowFar() throws Exception {
        assertRefused(
                enlist("1.2.3", NOW_MILLIS + 3 * HOUR_MILLIS),
                "the clock of n1 is 3.0 hours ahead of the coordinator's: set it right");
    }

    @Test
    void aClockThatIsBehindShouldBeRefused() throws Exception {
        assertRefused(
                enlist("1.2.3", NOW_MILLIS - HOUR_MILLIS * 3 / 2),
                "the clock of n1 is 1.5 hours behind the coordinator's: set it right");
    }

    @Test
    void aMachineThatServesAnotherJobShouldBeRefusedAndTheDifferenceNamed() throws Exception {
        JobTerms other = new JobTerms("mine", "mine.yaml", Map.of("train.batch", "128"));
        assertRefused(
                enlist("1.2.3", NOW_MILLIS, Json.tree(other)),
                "n1 serves mine.yaml (job mine) alone, and this is a run of mnist: train.batch is"
                        + " 256 in the run and 128 in mine.yaml; give it the job file and the"
                        + " settings of the run, or start it without --job");
    }

    @Test
    void aMachineThatServesThisJobShouldJoin() throws Exception {
        JobTerms same = new JobTerms("mine", "mine.yaml", RUN.values());
        assertThat(enlist("1.2.3", NOW_MILLIS, Json.tree(same))).isNull();
        assertThat(next()).isEqualTo(new Message.Enlisted("mnist", 1, 1));
    }

    /** What another build says of its job may have another form. */
    @Test
    void anotherBuildWithAJobShouldBeRefusedForItsBuild() throws Exception {
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
    void whatAWorkerNeedsShouldStayUntilItRunsOrItsMachineIsFree() throws Exception {
        assertThat(enlist("1.2.3", NOW_MILLIS)).isNull();
        launch(1);
        assertThat(launcher.started(own, 2)).as("another has it").isFalse();
        assertThat(needs.open).containsExactly(1);
        assertThat(launcher.started(own, 1)).isTrue();
        assertThat(needs.open).isEmpty();
        launcher.exited(own, new Message.Exited(1, 0, "", ""));
        launch(2);
        launcher.exited(own, new Message.Exited(2, -1, "no room", ""));
        assertThat(needs.open).isEmpty();
        launch(3);
        launcher.gone(own);
        assertThat(needs.open).isEmpty();
    }

    private void launch(int launch) {
        launcher.launch(launch, server.address(), "token", exit -> {});
        assertThat(needs.open).containsExactly(launch);
    }

    private String enlist(String version, long wallMillis) {
        return enlist(version, wallMillis, null);
    }

    private String enlist(String version, long wallMillis, @Nullable JsonNode job) {
        Message.Offer offer =
                new Message.Offer(version, "n1", "", wallMillis, job, Json.tree(Map.of()));
        return launcher.enlist(own, offer, NOW_MILLIS, 0);
    }

    private void assertRefused(String why, String expected) throws Exception {
        assertThat(why).isEqualTo(expected);
        assertThat(next()).isEqualTo(new Message.Dismissed(DismissalKind.REFUSED, expected));
        assertThat(launcher.names()).isEmpty();
        assertThat(launcher.hasRoom()).isFalse();
    }

    private Message next() throws InterruptedException {
        return agent.words.poll(30, TimeUnit.SECONDS);
    }
}
