package dev.medley.cli.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.fleet.state.JobPhase;
import dev.medley.hub.service.JobFigures;
import dev.medley.hub.service.JobReason;
import dev.medley.hub.service.JobStatus;
import dev.medley.hub.service.Submission;
import dev.medley.hub.service.SubmitTerms;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What users write of time, and what is shown of what others wrote. */
@Tag("unit")
class FleetWordsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "tomorrow",
                "2",
                "1.5h",
                "..s",
                "9999999999999d",
                "99999999999999999999s",
                "+999999999-12-31T00:00Z",
                "2026-12-01",
                ""
            })
    void shouldSayHowADeadlineIsWritten(String word) {
        assertThatThrownBy(() -> SubmitCommand.deadlineS(word))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("--deadline " + word)
                .hasMessageContaining("give a duration");
    }

    @Test
    void aJobShouldBeOneLineWhateverItsNamesHold() {
        Submission given = new Submission("n\n\u001b[2J", "", "/", "a", SubmitTerms.NONE, 1, 1);
        JobFigures figures = new JobFigures(0, null, null, 0, 0, null, 0, null);
        String name = "\uD83D\uDE00".repeat(30);
        Submission wide = new Submission(name, "", "/", "a", SubmitTerms.NONE, 1, 1);
        List<JobStatus> jobs =
                List.of(
                        new JobStatus(
                                1,
                                given,
                                JobPhase.FAILED,
                                0,
                                "a.yaml:1:2: no\nb.yaml:3:4: no\r\u001b[0m\u0085 end",
                                List.of("m\t1"),
                                figures,
                                ""),
                        new JobStatus(2, wide, JobPhase.DONE, 0, "", List.of(), figures, ""));
        List<String> lines = JobsCommand.lines(jobs, true);
        assertThat(lines).hasSize(3);
        assertThat(lines).allSatisfy(line -> assertThat(line).doesNotContainPattern("\\p{Cc}"));
        assertThat(lines.get(1)).endsWith("on m 1: a.yaml:1:2: no b.yaml:3:4: no [0m  end");
        assertThat(lines.get(2)).contains("\uD83D\uDE00".repeat(19) + "…");
    }

    @Test
    void aForecastShouldNotBeWhatAJobWouldTake() {
        JobReason reason =
                new JobReason(
                        2,
                        1,
                        "others are before it",
                        List.of("the end of a job that runs"),
                        List.of("At the earliest it ends in 3 h: it has no deadline."),
                        List.of());
        assertThat(WhyCommand.lines(reason))
                .containsExactly(
                        "job 2 is number 1 of the queue: others are before it",
                        "it would take: the end of a job that runs",
                        "At the earliest it ends in 3 h: it has no deadline.");
    }
}
