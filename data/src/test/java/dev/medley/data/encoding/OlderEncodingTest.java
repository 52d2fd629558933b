package dev.medley.data.encoding;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Json;
import dev.medley.base.job.TrainSpec.MetricKind;
import dev.medley.base.job.TrainSpec.MetricSpec;
import dev.medley.data.encoding.ColumnEncoding.Moment;
import dev.medley.data.encoding.ColumnEncoding.Source;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What records of earlier versions do not have is as it was then. */
@Tag("unit")
class OlderEncodingTest {
    @Test
    void aLabelWithoutASourceShouldBeANumber() {
        String older = "{\"column\":\"y\",\"classes\":[],\"mean\":1.5,\"deviation\":2.0}";
        assertThat(Json.parse(older.getBytes(UTF_8), LabelEncoding.class))
                .isEqualTo(LabelEncoding.ofNumber("y", Source.NUMBER, 1.5, 2));
    }

    @Test
    void aDateWithoutAPatternShouldBeRead() {
        String older =
                "{\"as\":\"moment\",\"name\":\"d\",\"timeOfDay\":false,\"mean\":3.0,"
                        + "\"deviation\":2.0,\"missingIndicator\":false}";
        assertThat(Json.parse(older.getBytes(UTF_8), ColumnEncoding.class))
                .isEqualTo(new Moment("d", "%Y-%m-%d", false, 3, 2, 0, false));
    }

    @Test
    void aMetricThatLooksAtNoFirstOnesShouldBeRead() {
        String older = "{\"kind\":\"ACCURACY\",\"custom\":null}";
        assertThat(Json.parse(older.getBytes(UTF_8), MetricSpec.class))
                .isEqualTo(MetricSpec.of(MetricKind.ACCURACY));
    }
}
