package dev.medley.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.fleet.state.JobOwner;
import dev.medley.fleet.state.JobRequest;
import dev.medley.hub.service.Submission;
import dev.medley.hub.service.SubmitTerms;
import dev.medley.hub.service.TermsChange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("unit")
class ChangedTermsTest {
    private static final JobRequest REQUEST =
            new JobRequest("a", "a", "", "/", new JobOwner("ann", "", 3, 100, 12), 1, 4);

    @Test
    void aDeadlineAndABudgetShouldBeTakenOff() {
        JobOwner owner = changed(null, null, List.of("deadline", "budget"));
        assertThat(owner).isEqualTo(new JobOwner("ann", "", 3, NEVER, NEVER));
        assertThat(changed(null, 5.0, List.of("deadline")))
                .isEqualTo(new JobOwner("ann", "", 3, NEVER, 5));
        assertThat(changed(null, null, null)).isEqualTo(REQUEST.owner());
    }

    @Test
    void whatIsBothGivenAndTakenOffShouldBeRefused() {
        assertThatThrownBy(() -> changed(200.0, null, List.of("deadline")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("both given and taken off");
        assertThatThrownBy(() -> changed(null, null, List.of("priority")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("priority cannot be taken off a job; deadline and budget");
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, NEVER})
    void aDeadlineShouldBeAMoment(double deadlineS) {
        assertThatThrownBy(() -> changed(deadlineS, null, null))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("give a moment");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a\u001b[2J",
                "ggggggggggggggggggggggggggggggggggggggggggggggggggggggggggggggggg"
            })
    void aGroupShouldBeAWord(String group, @TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("t.csv"), "a,y\n1,2\n");
        String file = "name: x\ndata: {train: t.csv, label: y}\nmodel: linear\ntrain: {steps: 1}\n";
        SubmitTerms terms = new SubmitTerms(group, 0, null, null);
        Submission given = new Submission("x.yaml", file, "" + folder, "ann", terms, 1, 1);
        assertThatThrownBy(() -> new Submissions().checked(given))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("--group: give a word");
    }

    private static final double NEVER = Double.POSITIVE_INFINITY;

    private static JobOwner changed(Double deadlineS, Double budget, List<String> lifted) {
        TermsChange change = new TermsChange(null, deadlineS, budget, null, null, lifted);
        return Submissions.changed(REQUEST, change).owner();
    }
}
