package dev.medley.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

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
}
