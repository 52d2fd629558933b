package dev.medley.base.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.job.StoreUrl.Scheme;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("unit")
class StoreUrlTest {
    @Test
    void shouldReadBucketAndFolder() {
        assertThat(of("s3://our-data/medley/a/"))
                .isEqualTo(new StoreUrl(Scheme.S3, "our-data", "medley/a"));
        assertThat(of("s3://our-data")).isEqualTo(new StoreUrl(Scheme.S3, "our-data", ""));
        assertThat(of("file:///mnt/share")).isEqualTo(new StoreUrl(Scheme.FILE, "", "/mnt/share"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"s3://our-data", "s3://our-data/a/b", "file:///mnt/share"})
    void shouldBeWrittenAsItIsRead(String text) {
        assertThat(of(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "our-data", "s3:our-data", "s3://", "s3://a", "file://x", "gs://b/c"})
    void shouldRefuseWhatIsNone(String text) {
        assertThatThrownBy(() -> of(text))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("cluster.data_store=" + text + ": s3://BUCKET/FOLDER");
    }

    private static StoreUrl of(String text) {
        return StoreUrl.of("cluster.data_store", text);
    }
}
