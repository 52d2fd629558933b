package dev.medley.plan.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is added to the source of plans has to be handed on here, or nobody behind hears of it. */
@Tag("unit")
class PlanAroundTest {
    @Test
    void shouldHandOnAllThatASourceOfPlansIsTold() {
        assertThat(PlanSource.class.getMethods())
                .filteredOn(method -> !Modifier.isStatic(method.getModifiers()))
                .allSatisfy(method -> assertThat(isHandedOn(method)).as("%s", method).isTrue());
    }

    private static boolean isHandedOn(Method wanted) {
        return Arrays.stream(PlanAround.class.getDeclaredMethods())
                .anyMatch(
                        own ->
                                own.getName().equals(wanted.getName())
                                        && Arrays.equals(
                                                own.getParameterTypes(),
                                                wanted.getParameterTypes()));
    }
}
