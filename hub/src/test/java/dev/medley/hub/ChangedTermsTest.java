package dev.medley.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.fleet.state.JobOwner;
import dev.medley.fleet.state.JobRequest;
import dev.medley.hub.service.TermsChange;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

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

    private static final double NEVER = Double.POSITIVE_INFINITY;

    private static JobOwner changed(Double deadlineS, Double budget, List<String> lifted) {
        TermsChange change = new TermsChange(null, deadlineS, budget, null, null, lifted);
        return Submissions.changed(REQUEST, change).owner();
    }
}
