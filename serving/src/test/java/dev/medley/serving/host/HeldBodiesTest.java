package dev.medley.serving.host;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.serving.ServingFailure;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class HeldBodiesTest {
    @Test
    void whatComesAfterTheEndOfARequestShouldNotBeHeldForEver() {
        HeldBodies bodies = new HeldBodies(100);
        HeldBodies.Share over = bodies.share();
        over.add(60);
        over.close();
        over.add(60);
        over.close();
        HeldBodies.Share next = bodies.share();
        assertThatCode(() -> next.add(100)).doesNotThrowAnyException();
        assertThatThrownBy(() -> next.add(1)).isInstanceOf(ServingFailure.class);
    }
}
