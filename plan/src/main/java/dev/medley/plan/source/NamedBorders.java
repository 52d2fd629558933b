package dev.medley.plan.source;

import dev.medley.base.ConfigException;
import dev.medley.base.Group;
import dev.medley.base.Plan;
import dev.medley.base.strategy.BorderCodec;
import dev.medley.profile.cluster.Machine;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Checks the borders that a job names ({@code strategy.borders}), around another plan source. A new
 * run is refused where no member of its first group stands at one of their sites, since nothing
 * that such a border sets would be in force. A resumed run reports it once and continues: machines
 * that left may come again.
 *
 * <p>Thread: the coordinator's agent.
 */
public final class NamedBorders extends PlanAround {
    private final List<BorderCodec> borders;
    private boolean hasLooked;
    private @Nullable String said;

    /** Of a job with these borders. */
    public NamedBorders(List<BorderCodec> borders, PlanSource source) {
        super(source);
        this.borders = List.copyOf(borders);
    }

    /**
     * Refuses borders of sites at which no machine of a cluster file stands: none comes later.
     *
     * @param machines of it
     */
    public static void require(List<BorderCodec> borders, List<Machine> machines) {
        List<String> sites = machines.stream().map(Machine::site).distinct().toList();
        Set<String> missing = missing(borders, sites);
        ConfigException.check(
                missing.isEmpty(),
                "strategy.borders names %s, where the cluster file has no machine: there are %s",
                String.join(" and ", missing),
                words(sites));
    }

    private static Set<String> missing(List<BorderCodec> borders, List<String> sites) {
        Set<String> missing = new TreeSet<>();
        borders.forEach(border -> missing.addAll(List.of(border.from(), border.to())));
        missing.removeAll(sites);
        return missing;
    }

    /**
     * @throws ConfigException for the first group of a new run, if nobody stands at a named site
     */
    @Override
    public Plan plan(Group group, int version, long committedStep) {
        Set<String> missing = hasLooked ? Set.of() : missing(borders, group.sites());
        hasLooked = true;
        if (!missing.isEmpty()) {
            String what =
                    "strategy.borders names %s, where no worker is: there are %s"
                            .formatted(String.join(" and ", missing), words(group.sites()));
            ConfigException.check(
                    committedStep > 0,
                    "%s; start with a machine of each site that is named, or leave borders out, as"
                            + " with -s 'strategy.borders=[]'",
                    what);
            said = what;
        }
        return super.plan(group, version, committedStep);
    }

    private static String words(List<String> sites) {
        List<String> named = sites.stream().filter(site -> !site.isEmpty()).sorted().toList();
        return named.isEmpty() ? "no named sites" : String.join(", ", named);
    }

    @Override
    public @Nullable String remark() {
        String now = said;
        said = null;
        return now == null ? super.remark() : now;
    }
}
