package dev.medley.base.track;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("unit")
class TrackSpecTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost:5000",
                "htp://localhost",
                "http://",
                "http:///path",
                "http://a b",
                "http://a:99999",
                "http://a?token=1",
                "http://a#b",
                "file:///mlruns",
                "databricks",
                ""
            })
    void shouldRefuseWhatIsNoAddressOfAServer(String address) {
        assertThatThrownBy(() -> TrackSpec.mlflow(address))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("track.mlflow=" + address + ": the address of");
    }

    @Test
    void shouldRefuseAPasswordInTheAddressWithoutShowingIt() {
        assertThatThrownBy(() -> TrackSpec.mlflow("http://ada:secret@host"))
                .hasMessageContaining("MLFLOW_TRACKING_PASSWORD")
                .hasMessageNotContaining("secret@");
    }

    @Test
    void shouldTakeAnAddressWithAPath() {
        TrackSpec track = TrackSpec.mlflow("https://host.example/mlflow/");
        assertThat(track.mlflowUri()).hasToString("https://host.example/mlflow");
    }

    @Test
    void shouldRefuseWhatIsAboutMlflowWithoutIt() {
        assertThatThrownBy(() -> new TrackSpec(null, "a", null, false, "there"))
                .hasMessageContaining("track.experiment is about MLflow");
        assertThatThrownBy(() -> new TrackSpec(null, null, null, true, "there"))
                .hasMessageContaining("track.required is about MLflow");
        assertThatThrownBy(() -> new TrackSpec(null, null, null, false, null))
                .hasMessageContaining("names no tracker");
        assertThatThrownBy(() -> new TrackSpec("http://a", null, "a/b", false, null))
                .hasMessageContaining("track.register=a/b");
    }
}
