package dev.medley.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class JsonTest {
    record Flagged(boolean isOpen, double nothing) {}

    @Test
    void shouldWriteComponentsAndNotQuestions() {
        Member member =
                new Member(new WorkerId(1), "host", Member.NO_SITE, "127.0.0.1", 7, "kernel");
        Group group = new Group(3, List.of(member));
        assertThat(Json.parse(Json.line(group), Group.class)).isEqualTo(group);
        assertThat(Json.line(group)).doesNotContain("onOneHost");
    }

    @Test
    void shouldKeepComponentsThatAreNamedLikeQuestionsAndFiguresThatAreNone() {
        Flagged flagged = new Flagged(true, Double.NaN);
        assertThat(Json.parse(Json.line(flagged), Flagged.class)).isEqualTo(flagged);
    }

    @Test
    void shouldSayWhereAFileIsWrong(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("f.json"), "{\n  \"isOpen\": maybe}");
        assertThatThrownBy(() -> Json.read(file, Flagged.class))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith(file + ":2:")
                .hasMessageContaining("'maybe'");
        Files.writeString(file, "{");
        assertThatThrownBy(() -> Json.read(file, Flagged.class))
                .hasMessageEndingWith("expected close marker for Object");
    }
}
