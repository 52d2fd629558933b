package dev.medley.store.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.Json;
import dev.medley.base.Seeds;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class SealedJsonTest {
    private static final JsonNode CONTENT =
            Json.tree(Map.of("name", "größer", "values", List.of(1.5, Double.NaN, 1L << 60)));

    @Test
    @Tag("unit")
    void shouldGiveBackWhatWasSealed() {
        byte[] sealed = SealedJson.seal(CONTENT);
        assertThat(SealedJson.isWhole(sealed)).isTrue();
        JsonNode back = SealedJson.content(Json.parse(sealed, ObjectNode.class));
        assertThat(Json.line(back)).isEqualTo(Json.line(CONTENT));
        assertThat(new String(sealed, StandardCharsets.UTF_8)).startsWith("{\n  \"checksum\" : \"");
    }

    @Test
    @Tag("property")
    void shouldFindEveryFlippedByte() {
        RandomGenerator random = Seeds.generator(1);
        byte[] sealed = SealedJson.seal(CONTENT);
        for (int at = 0; at < sealed.length; at++) {
            byte[] damaged = sealed.clone();
            damaged[at] ^= (byte) (1 << random.nextInt(8));
            assertThat(SealedJson.isWhole(damaged)).as("byte %d", at).isFalse();
        }
    }

    @Test
    @Tag("unit")
    void shouldRefuseASecondChecksum() {
        assertThatThrownBy(() -> SealedJson.seal(Json.tree(Map.of("checksum", 1))))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
