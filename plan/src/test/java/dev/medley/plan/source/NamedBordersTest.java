package dev.medley.plan.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Member;
import dev.medley.base.strategy.BorderCodec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.plan.policy.Groups;
import dev.medley.profile.cluster.Machine;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class NamedBordersTest {
    private final NamedBorders plans =
            new NamedBorders(
                    List.of(
                            new BorderCodec("aws", "gpc", Compress.INT4),
                            new BorderCodec("gcp", "aws", Compress.INT4)),
                    new SharePlan(256, 1, List.of()));

    @Test
    void aNewRunShouldBeRefusedWhereNobodyIsAtASite() {
        assertThatThrownBy(() -> plans.plan(Groups.at("aws", "gcp"), 1, 0))
                .isInstanceOf(ConfigException.class)
                .hasMessage(
                        "strategy.borders names gpc, where no worker is: there are aws, gcp; start"
                                + " with a machine of each site that is named, or leave borders"
                                + " out, as with -s 'strategy.borders=[]'");
    }

    @Test
    void aRunThatGoesOnShouldSayOnceWhichSiteNobodyIsAt() {
        assertThat(plans.remark()).isNull();
        plans.plan(Groups.at("aws", "gcp"), 1, 10);
        assertThat(plans.remark())
                .isEqualTo("strategy.borders names gpc, where no worker is: there are aws, gcp");
        assertThat(plans.remark()).isNull();
        plans.plan(Groups.at("aws", "gcp"), 2, 20);
        assertThat(plans.remark()).as("once").isNull();
    }

    /** It may come again, and the others need not wait for it. */
    @Test
    void aSiteThatIsLostBeforeTheFirstStepShouldEndNothing() {
        plans.plan(Groups.at("aws", "gcp", "gpc"), 1, 0);
        plans.plan(Groups.at("aws", "gcp"), 2, 0);
        assertThat(plans.remark()).isNull();
    }

    @Test
    void shouldSayThatNoSiteHasAName() {
        plans.plan(Groups.at(Member.NO_SITE), 1, 10);
        assertThat(plans.remark())
                .endsWith(
                        "names aws and gcp and gpc, where no worker is: there are no named sites");
    }

    @Test
    void shouldRefuseASiteThatAClusterFileDoesNotHave() {
        List<BorderCodec> borders = List.of(new BorderCodec("aws", "gpc", Compress.INT4));
        NamedBorders.require(borders, at("gpc", "aws"));
        assertThatThrownBy(() -> NamedBorders.require(borders, at("aws", "gcp")))
                .isInstanceOf(ConfigException.class)
                .hasMessage(
                        "strategy.borders names gpc, where the cluster file has no machine: there"
                                + " are aws, gcp");
    }

    @Test
    void shouldSayNothingWhereAllAreThere() {
        plans.plan(Groups.at("aws", "gcp", "gpc"), 1, 0);
        assertThat(plans.remark()).isNull();
    }

    private static List<Machine> at(String... sites) {
        return Arrays.stream(sites).map(s -> new Machine("m-" + s, s, "type", 1, null)).toList();
    }
}
