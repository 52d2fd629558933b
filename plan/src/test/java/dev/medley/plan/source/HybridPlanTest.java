package dev.medley.plan.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.Plan;
import dev.medley.plan.policy.Groups;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class HybridPlanTest {
    private static final SharePlan EVEN = new SharePlan(64, 4, 1, List.of());

    private static Group at(String... sites) {
        List<Member> members = new ArrayList<>();
        for (Member member : Groups.of(1, sites.length).members()) {
            members.add(member.at(sites[members.size()]));
        }
        return new Group(1, members);
    }

    @Test
    void shouldSayWhoTakesInnerStepsAsOneAndChangeNothingElse() {
        Group group = at("east", "west", "east", "west", "west", "moon");
        Plan plain = EVEN.plan(group, 3, 0);
        Plan plan = new HybridPlan(EVEN).plan(group, 3, 0);
        assertThat(plan.why())
                .isEqualTo(
                        plain.why()
                                + "; hybrid: the 2 workers at east, the 3 workers at west take each"
                                + " inner step as one");
        assertThat(plan.with(plan.microBatch(), plain.why())).isEqualTo(plain);
    }

    @Test
    void shouldSayWhereItDoesWhatAnotherStrategyDoes() {
        assertThat(HybridPlan.teams(at("a", "b", "c")))
                .isEqualTo("hybrid does what diloco does, since no site has two workers");
        assertThat(HybridPlan.teams(at("a")))
                .isEqualTo("hybrid does what diloco does, since no site has two workers");
        assertThat(HybridPlan.teams(at("", "", "")))
                .isEqualTo(
                        "hybrid: all 3 workers stand at one site and take each inner step as one");
    }
}
