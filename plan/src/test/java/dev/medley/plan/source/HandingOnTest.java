package dev.medley.plan.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Group;
import dev.medley.base.NoiseSample;
import dev.medley.base.Plan;
import dev.medley.base.TrialScope;
import dev.medley.base.WorkerId;
import dev.medley.base.placement.ShardPlacement.Shard;
import dev.medley.base.strategy.AsyncSpec.Servers;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.plan.policy.Groups;
import dev.medley.plan.policy.MachineKind;
import dev.medley.plan.policy.MemoryCaps;
import dev.medley.profile.speed.StepTime;
import dev.medley.profile.speed.StepTimeGuess;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a source of plans around another is told reaches that one, and its answers come back. */
@Tag("unit")
class HandingOnTest {
    private static final WorkerId WORKER = new WorkerId(1);
    private static final Group GROUP = Groups.of(1, 2);
    private static final Plan PLAN = new Plan(1, List.of(3, 4), 4, "by the test");

    private final List<String> told = new ArrayList<>();

    private final PlanSource inner =
            (PlanSource)
                    Proxy.newProxyInstance(
                            PlanSource.class.getClassLoader(),
                            new Class<?>[] {PlanSource.class},
                            (proxy, method, arguments) -> {
                                told.add(method.getName());
                                return answer(method);
                            });

    @Test
    void allThatIsSaidShouldBeHandedOnAndAnswered() throws Exception {
        PlanAround around = new PlanAround(inner) {};
        for (Method method : PlanSource.class.getMethods()) {
            told.clear();
            assertThat(method.invoke(around, arguments(method))).isEqualTo(answer(method));
            assertThat(told).containsExactly(method.getName());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "guessed",
                "joins",
                "holds",
                "leaves",
                "resized",
                "surveyed",
                "stepped",
                "noised",
                "took"
            })
    void whateverIsAroundItShouldHandOnWhatItIsTold(String name) throws Exception {
        List<PlanSource> around =
                List.of(
                        new LeavingPlan(inner, 3),
                        new ServerPlan(inner, Servers.ALL),
                        new RememberingPlan(inner, machine -> null),
                        new PlacedPlan(inner, List.of(new Shard("a", 1, "", ""))),
                        new CappedPlan(inner, MemoryCaps.unknown()),
                        new HybridPlan(inner),
                        new NamedBorders(List.of(), inner));
        for (Method method : PlanSource.class.getMethods()) {
            if (method.getName().equals(name)) {
                for (PlanSource each : around) {
                    told.clear();
                    method.invoke(each, arguments(method));
                    assertThat(told).as("%s", each.getClass()).containsExactly(name);
                }
            }
        }
    }

    private static @Nullable Object answer(Method method) {
        return switch (method.getName()) {
            case "plan" -> PLAN;
            case "comes" -> TrialScope.LEVEL;
            case "sites" -> List.of("east", "west");
            case "remark", "wish", "outOfMemory", "outOfMemoryTrying", "resized" ->
                    method.getName();
            case "strategy" -> StrategySpec.defaults();
            case "probesAnew" -> true;
            case "sitsOut", "comesBack" -> Map.of(WORKER, "why");
            case "tries" -> Map.of(WORKER, 5);
            case "lastStep" -> 77L;
            case "groupSize" -> 3;
            default -> null;
        };
    }

    private static Object[] arguments(Method method) {
        Object[] values = new Object[method.getParameterCount()];
        for (int i = 0; i < values.length; i++) {
            values[i] = some(method.getParameterTypes()[i]);
        }
        return values;
    }

    private static @Nullable Object some(Class<?> type) {
        List<Object> known =
                List.of(
                        WORKER,
                        GROUP,
                        MachineKind.UNKNOWN,
                        new StepTimeGuess(new StepTime(1, 1), 1, 2, 3, 0),
                        new NoiseSample(1, 1),
                        Ways.alike(2).report(1),
                        PlanSource.Measured.alone(1, 1),
                        List.of(),
                        Map.of(),
                        "");
        if (type == long.class) {
            return 1L;
        }
        if (type == double.class) {
            return 1.0;
        }
        if (type == int.class) {
            return 1;
        }
        return known.stream().filter(type::isInstance).findFirst().orElse(null);
    }
}
