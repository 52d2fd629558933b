package dev.medley.training.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.custom.ClassSpec;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.Signature;
import dev.medley.base.time.Clock;
import dev.medley.data.batch.TrainingData;
import dev.medley.data.dataset.Datasets;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.dataset.SampleSource;
import dev.medley.net.membership.Progress;
import dev.medley.net.membership.Seat;
import dev.medley.tensor.Torch;
import dev.medley.tensor.model.ReadyListener;
import dev.medley.training.GivenState;
import dev.medley.training.GivenTrain;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A trial with a model that remembers statistics of what it sees. */
@Tag("unit")
@Timeout(600)
class SpeedTrialTest {
    private static final long GLANCE_NS = 20_000_000;

    @TempDir Path folder;

    private WorkerState state;
    private TrainingData data;

    /** Samples for the model of {@link GivenState}. */
    public static final class Ascending implements SampleSource {
        @Override
        public Signature signature() {
            return GivenState.signature();
        }

        @Override
        public long size() {
            return 100;
        }

        @Override
        public void read(long index, List<ByteBuffer> inputs, ByteBuffer target) {
            ByteBuffer input = inputs.get(0);
            while (input.hasRemaining()) {
                input.putFloat(index + input.position());
            }
            target.putFloat(index);
        }
    }

    /** Time passes only when somebody looks. */
    private static final class Looked implements Clock {
        private long nowNs;
        private int looksLeft;

        Looked(int looks) {
            looksLeft = looks;
        }

        @Override
        public long nowNs() {
            looksLeft--;
            if (looksLeft < 0) {
                throw new IllegalStateException("stopped in a test");
            }
            nowNs += GLANCE_NS;
            return nowNs;
        }

        @Override
        public long wallMillis() {
            return nowNs / 1_000_000;
        }
    }

    @BeforeAll
    static void startTorch() {
        Torch.start(1);
    }

    @BeforeEach
    void open() {
        state =
                GivenState.of(
                        3,
                        GivenTrain.of(0, 100, 8).spec(),
                        new Seat(Progress.NONE),
                        TrainingState.START);
        PreparedData prepared =
                Datasets.prepare(
                        source(), 1, folder, dev.medley.data.shard.PreparationProgress.NONE);
        data = TrainingData.open(prepared, 1, Clock.system());
    }

    private static DataSpec source() {
        return new DataSpec(
                DataFormat.CUSTOM,
                List.of(),
                List.of(),
                null,
                DataSpec.SplitSpec.defaults(),
                DataSpec.TableSpec.defaults(),
                DataSpec.ImageSpec.defaults(),
                DataSpec.TextSpec.defaults(),
                DataSpec.CacheSpec.defaults(),
                2,
                new ClassSpec(Ascending.class.getName(), Map.of()));
    }

    @AfterEach
    void close() {
        data.close();
        state.close();
    }

    /** Parameters, running statistics and moments. */
    @Test
    void shouldLeaveTheStateAsItWasToTheBit() {
        List<String> before = GivenState.hashes(state);
        assertThat(trial(Integer.MAX_VALUE).passNs(8)).isPositive();
        assertThat(GivenState.hashes(state)).isEqualTo(before);
        var unused = state.learner().take(GivenState.batch(8, 5), 1, 0, ReadyListener.NONE);
        assertThat(GivenState.hashes(state))
                .as("a pass by itself moves statistics")
                .isNotEqualTo(before);
    }

    /**
     * Each look takes 20 ms: four passes without one, then one each until half a second is over.
     */
    @Test
    void shouldGiveTheMeanOfHalfASecond() {
        assertThat(trial(Integer.MAX_VALUE).passNs(8)).isEqualTo(26 * GLANCE_NS / 28);
    }

    @Test
    void shouldLeaveTheStateAsItWasWhenItFails() {
        List<String> before = GivenState.hashes(state);
        assertThatThrownBy(() -> trial(5).passNs(8)).hasMessage("stopped in a test");
        assertThat(GivenState.hashes(state)).isEqualTo(before);
    }

    private SpeedTrial trial(int looks) {
        return new SpeedTrial(state.learner(), data, new Looked(looks));
    }
}
