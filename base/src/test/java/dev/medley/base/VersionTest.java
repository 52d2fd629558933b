package dev.medley.base;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class VersionTest {
    private static final String OURS = "0.1.0-SNAPSHOT+0a1b2c3d";

    @Test
    void shouldRefuseAnotherBuildOfTheSameVersionAndNameBoth() {
        assertThat(Version.refusal("gpu-1", "0.1.0-SNAPSHOT+ffffffff", OURS))
                .isEqualTo(
                        "gpu-1 is Medley 0.1.0-SNAPSHOT+ffffffff, the coordinator is"
                                + " 0.1.0-SNAPSHOT+0a1b2c3d: use one build on all machines");
    }

    @Test
    void shouldRefuseWhoDoesNotSayWhatItIs() {
        assertThat(Version.refusal("gpu-1", "", OURS))
                .contains("gpu-1 is Medley of no known version");
    }

    @Test
    void shouldTakeTheSameBuild() {
        assertThat(Version.refusal("gpu-1", OURS, OURS)).isNull();
    }

    @Test
    void shouldBeABuildOfItsVersion() {
        assertThat(Version.number()).matches("\\d+\\.\\d+\\.\\d+.*");
        assertThat(Version.build()).startsWith(Version.number());
    }
}
