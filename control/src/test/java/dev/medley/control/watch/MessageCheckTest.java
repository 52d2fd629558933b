package dev.medley.control.watch;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.Json;
import dev.medley.base.WorkerId;
import dev.medley.net.control.Message;
import dev.medley.net.control.ProtocolException;
import dev.medley.net.control.WorkerStep;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class MessageCheckTest {
    private static final WorkerId MEMBER = new WorkerId(1);
    private static final WorkerId STRANGER = new WorkerId(2);

    private final StepMerger merger = new StepMerger((epoch, steps) -> {});
    private final MessageCheck claims = new MessageCheck(merger);

    @BeforeEach
    void form() {
        merger.formed(1, Set.of(MEMBER), 1_000_000);
    }

    @Test
    void aMemberShouldTellOfTheStepsOfItsGroup() {
        assertThatCode(() -> claims.require(MEMBER, steps(1, 1_000_001)))
                .doesNotThrowAnyException();
    }

    @Test
    void whoIsInNoGroupShouldTellOfNoStep() {
        assertRefused(STRANGER, steps(1, 1_000_001), "which it is not in");
    }

    /** They would be kept until the others tell of them. */
    @Test
    void nobodyShouldTellOfStepsFarAhead() {
        assertRefused(MEMBER, steps(1, 1_020_001), "tells of step 1020001");
    }

    /** It would keep all others out of the record that are of earlier steps. */
    @Test
    void nobodyShouldTellOfAnEvaluationFarAhead() {
        assertTaken(MEMBER, noted("evaluation", Map.of("step", 1_000_001)));
        Message far = noted("evaluation", Map.of("step", 1_000_000_000_000_000L));
        assertRefused(MEMBER, far, "tells of step 1000000000000000");
    }

    @Test
    void whoWasInNoGroupShouldTellOfNothingButTrouble() {
        assertTaken(STRANGER, noted("event", Map.of("kind", "WARNING")));
        for (String kind : List.of("evaluation", "links", "route")) {
            assertRefused(STRANGER, noted(kind, Map.of("step", 1)), "was in no group");
        }
        Message checkpoint = noted("event", Map.of("kind", "CHECKPOINT", "step", 1_000_001));
        assertTaken(MEMBER, checkpoint);
        assertRefused(STRANGER, checkpoint, "was in no group");
    }

    private void assertTaken(WorkerId worker, Message message) {
        assertThatCode(() -> claims.require(worker, message)).doesNotThrowAnyException();
    }

    private static Message noted(String kind, Object value) {
        return new Message.Noted(kind, Json.tree(value));
    }

    private void assertRefused(WorkerId worker, Message message, String why) {
        assertThatThrownBy(() -> claims.require(worker, message))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining(why);
    }

    private static Message steps(int epoch, long step) {
        WorkerStep told = new WorkerStep(step, 1, 1, 1, 1, 8, 4, 0, 1, 1, 0, 0, 0, 0, 0, 0, null);
        return new Message.Steps(epoch, List.of(told), List.of(), List.of());
    }
}
