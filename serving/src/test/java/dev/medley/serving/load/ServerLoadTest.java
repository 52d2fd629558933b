package dev.medley.serving.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a server tells a router of its load. */
@Tag("unit")
class ServerLoadTest {
    private static final long MILLI_NS = 1_000_000;

    @Test
    void shouldTellHowLongOneTakesAtThatManyInFlight() {
        LoadEstimate load = new LoadEstimate();
        for (int i = 0; i < 3; i++) {
            load.ended(load.begin(), 2 * MILLI_NS, 1);
        }
        assertThat(load.latencyNs(1)).isEqualTo(2 * MILLI_NS);
        int first = load.begin();
        int second = load.begin();
        assertThat(load.inFlight()).isEqualTo(2);
        assertThat(load.latencyNs(1)).isEqualTo(2 * MILLI_NS); // Nothing nearer is known.
        load.ended(second, 5 * MILLI_NS, 2);
        assertThat(load.latencyNs(2)).isEqualTo(5 * MILLI_NS);
        load.ended(first, 9 * MILLI_NS, 3);
        assertThat(load.latencyNs(3)).isEqualTo(2 * MILLI_NS); // The median of four.
    }

    @Test
    void shouldForgetWhatIsLongAgo() {
        LoadEstimate load = new LoadEstimate();
        load.ended(load.begin(), MILLI_NS, 0);
        assertThat(load.latencyNs(5_000_000_000L)).isEqualTo(MILLI_NS);
        assertThat(load.latencyNs(5_000_000_001L)).isZero();
    }

    @Test
    void shouldCountByModel() {
        ServerLoad load = new ServerLoad();
        ServerLoad.Request a = load.begin("a", 0);
        ServerLoad.Request b = load.begin("b", 0);
        ServerLoad.Request any = load.begin(null, 0);
        a.answered(MILLI_NS);
        LoadReport report = load.asked(LoadReport.READY, 2 * MILLI_NS);
        assertThat(report.in_flight()).isEqualTo(2);
        assertThat(report.models())
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of(
                                "a", new LoadReport.ModelLoad(0, 1000),
                                "b", new LoadReport.ModelLoad(1, 0)));
        b.failed();
        any.failed();
        assertThat(load.asked(LoadReport.READY, 3 * MILLI_NS).in_flight()).isZero();
    }

    /**
     * Anybody can name a model that is not there; those that are have to be counted all the same.
     */
    @Test
    void shouldForgetNamesThatNobodyAsksFor() {
        ServerLoad load = new ServerLoad();
        for (int i = 0; i < 3000; i++) {
            load.begin("none " + i, 0).failed();
        }
        ServerLoad.Request real = load.begin("m", 1);
        assertThat(load.asked(LoadReport.READY, 2).models()).containsOnlyKeys("m");
        real.answered(3);
    }

    @Test
    void shouldSayThatItEnds() {
        ServerLoad load = new ServerLoad();
        assertThat(load.isAskedFor(0, 10)).isFalse();
        assertThat(load.asked(LoadReport.NOT_READY, 5).state()).isEqualTo("not ready");
        assertThat(load.isAskedFor(15, 10)).isTrue();
        assertThat(load.isAskedFor(16, 10)).isFalse();
        load.end();
        assertThat(load.asked(LoadReport.READY, 6).state()).isEqualTo("ending");
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /v2/models/m/infer, true, m",
        "POST, /v2/models/m/versions/3/infer, true, m",
        "POST, /v1/models/m:rows, true, m",
        "POST, /v1/models/m:predict, true, m",
        "POST, /inference.GRPCInferenceService/ModelInfer, true,",
        "GET, /v2/models/m/infer, true,",
        "GET, /v2, true,",
        "POST, /v2/repository/index, true,",
        "POST, /inference.GRPCInferenceService/ModelMetadata, true,",
        "POST, /inference.GRPCInferenceService/RepositoryModelLoad, false,",
        "POST, /inference.GRPCInferenceService/RepositoryModelUnload, false,",
        "POST, /v2/repository/models/m/load, false,",
        "POST, /v1/models/m:learn, false,",
        "DELETE, /v2/models/m, false,",
        "POST, /anything, false,"
    })
    void shouldKnowWhatChangesNothing(String method, String path, boolean isRead, String model) {
        assertThat(InferPath.isRead(method, path)).isEqualTo(isRead);
        InferPath computes = InferPath.of(method, path);
        assertThat(computes == null ? null : computes.model()).isEqualTo(model);
    }
}
