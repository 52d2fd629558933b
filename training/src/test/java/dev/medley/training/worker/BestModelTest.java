package dev.medley.training.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.time.Clock;
import dev.medley.net.control.ControlConnection;
import dev.medley.net.control.ControlServer;
import dev.medley.net.control.Message;
import dev.medley.net.door.JoinSecret;
import dev.medley.net.files.FilesClient;
import dev.medley.net.membership.Progress;
import dev.medley.net.membership.Seat;
import dev.medley.record.folder.RunFolder;
import dev.medley.store.model.ModelFolder;
import dev.medley.tensor.Torch;
import dev.medley.training.GivenState;
import dev.medley.training.GivenTrain;
import dev.medley.training.loop.TrainingState;
import dev.medley.training.loop.WorkerState;
import dev.medley.worker.Delivery;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A model on a slow way to a coordinator. */
@Tag("unit")
@Timeout(600)
class BestModelTest {
    private static final JoinSecret PASS = JoinSecret.ofRun("secret");

    @TempDir Path folder;
    @TempDir Path rescue;

    private final CountDownLatch taken = new CountDownLatch(1);

    @Test
    void aModelThatIsOnItsWayShouldNotBeGivenUp() throws Exception {
        Torch.start(1);
        WorkerState state =
                GivenState.of(
                        3,
                        GivenTrain.of(0, 100, 8).spec(),
                        new Seat(Progress.NONE),
                        TrainingState.START);
        RunFolder run = new RunFolder(folder);
        RunFolder other = new RunFolder(rescue);
        Assignment assignment =
                Coordinated.assignment(
                        Coordinated.job(state.schedule().train()), folder.toString());
        try (ControlServer server = ControlServer.onLoopback(PASS, new Slow());
                Delivery delivery = Delivery.over(() -> client(server), folder, Path.of("there"));
                BestModel best =
                        new BestModel(
                                assignment, state, null, delivery, Clock.system(), told -> {})) {
            best.offer(new RunModel.Judged(Map.of("loss", 0.5), null));
            assertThatThrownBy(() -> best.settleIn(run, () -> true))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("still on its way");
            best.settleIn(other, () -> true);
            assertThat(ModelFolder.read(other.model()).description().metrics())
                    .containsEntry("loss", 0.5);
            taken.countDown();
            best.settle(() -> false);
            assertThat(best.isKept()).isTrue();
        } finally {
            state.learner().close();
        }
    }

    private static FilesClient client(ControlServer server) throws IOException {
        return FilesClient.open(
                handler ->
                        ControlConnection.connect(
                                server.address(), TimeUnit.SECONDS.toNanos(10), PASS, handler));
    }

    /** Takes what comes once it may. */
    private final class Slow implements ControlConnection.Handler {
        @Override
        public void received(ControlConnection from, Message message) {
            try {
                assertThat(taken.await(120, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            from.send(new Message.Received());
        }

        @Override
        public void closed(ControlConnection connection, String why) {}
    }
}
