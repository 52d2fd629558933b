package dev.medley.control.coordinator;

import dev.medley.base.Group;
import dev.medley.base.Json;
import dev.medley.base.Member;
import dev.medley.base.WorkerId;
import dev.medley.control.watch.Roster;
import dev.medley.control.watch.RunWatcher;
import dev.medley.net.control.Message;
import dev.medley.net.membership.Membership.Action;
import dev.medley.plan.policy.MachineKind;
import dev.medley.plan.source.PlanSource;
import dev.medley.profile.cluster.ClusterProfile;
import dev.medley.profile.cluster.LinkPath;
import dev.medley.profile.cluster.LinkReport;
import dev.medley.profile.cluster.Machine;
import dev.medley.profile.machine.MachineProfile;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * Keeps the site of each member of a run, and what is known of the paths between members. Owned by
 * the coordinator's agent.
 *
 * <p>Sites that users declare hold. Where no user declared any, the members' latencies decide: the
 * sites that a group found hold from the next group on, which forms for their sake. A member keeps
 * the site that was found for it once, so that noise does not move it; a later member gets that of
 * its neighbours. The recorded plan of each group has its sites, and a repeated run takes them from
 * the plan.
 */
final class ClusterView {
    private final PlanSource plans;
    private final Machines machines;
    private final Roster roster;
    private final RunWatcher watcher;
    private final Map<WorkerId, String> found = new TreeMap<>();
    private Map<WorkerId, Member> members = Map.of();
    private boolean isDeclared;
    private boolean isDecided;
    private List<?> told = List.of();

    ClusterView(PlanSource plans, Machines machines, Roster roster, RunWatcher watcher) {
        this.plans = plans;
        this.machines = machines;
        this.roster = roster;
        this.watcher = watcher;
    }

    /** A group that is about to form, its members where they stand, joined across these cuts. */
    Action.TellForm placed(Action.TellForm form, List<Group.Cut> cuts) {
        List<Member> declared = form.group().members();
        List<String> sites =
                plans.sites(declared.stream().map(Member::site).toList(), form.committed().step());
        isDeclared = declared.stream().anyMatch(m -> !m.site().equals(Member.NO_SITE));
        isDecided = sites != null || isDeclared;
        List<Member> placed = new ArrayList<>();
        members = new TreeMap<>();
        for (int rank = 0; rank < declared.size(); rank++) {
            Member member = declared.get(rank);
            String site = sites != null ? sites.get(rank) : siteOf(member);
            placed.add(member.at(site));
            members.put(member.worker(), member.at(site));
        }
        return new Action.TellForm(
                new Group(form.group().epoch(), placed, cuts),
                form.committed(),
                form.source(),
                form.behind());
    }

    private String siteOf(Member member) {
        return isDecided ? member.site() : found.getOrDefault(member.worker(), member.site());
    }

    /**
     * The present group has measured the ways between its machines.
     *
     * @return why it should be formed anew; null if it need not
     */
    @Nullable String heard(LinkReport report) {
        Map<WorkerId, String> sites = isDeclared ? Map.of() : sites(report, found);
        boolean isNews = !isDecided && !sites.equals(found);
        found.putAll(sites);
        ClusterProfile cluster = profile(report);
        plans.knows(cluster);
        plans.surveyed(report);
        List<?> seen = seen(cluster);
        if (!seen.equals(told)) {
            told = seen;
            watcher.surveyed(cluster, isNews ? report.whySites() : "");
        }
        return isNews ? report.whySites() : null;
    }

    /** The values whose change the watcher is told of. Latencies change at each group: all ping. */
    private static List<?> seen(ClusterProfile cluster) {
        return List.of(
                cluster.machines(),
                cluster.ways().stream()
                        .map(row -> row.stream().map(LinkPath::bytesPerSecond).toList())
                        .toList());
    }

    /**
     * The sites of workers by their latencies. Of those that are near each other, all stand where
     * the first of them was found before; who was found before stays.
     */
    static Map<WorkerId, String> sites(LinkReport report, Map<WorkerId, String> before) {
        Map<WorkerId, String> sites = new TreeMap<>(before);
        int clusters = (int) report.foundSites().stream().distinct().count();
        if (clusters == 1 && before.isEmpty()) {
            return sites;
        }
        Set<String> names = new HashSet<>(before.values());
        for (int cluster = 0; cluster < clusters; cluster++) {
            List<WorkerId> near = near(report, cluster);
            String name =
                    near.stream().map(before::get).filter(n -> n != null).findFirst().orElse(null);
            for (int number = 1; name == null; number++) {
                name = names.contains("site-" + number) ? null : "site-" + number;
            }
            names.add(name);
            for (WorkerId worker : near) {
                sites.putIfAbsent(worker, name);
            }
        }
        return sites;
    }

    private static List<WorkerId> near(LinkReport report, int cluster) {
        List<WorkerId> near = new ArrayList<>();
        for (int machine = 0; machine < report.workers().size(); machine++) {
            if (report.foundSites().get(machine) == cluster) {
                report.workers().get(machine).forEach(id -> near.add(new WorkerId(id)));
            }
        }
        return near;
    }

    private ClusterProfile profile(LinkReport report) {
        List<Machine> all = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (List<Integer> workers : report.workers()) {
            WorkerId worker = new WorkerId(workers.get(0));
            Member member = members.get(worker);
            String site = member == null ? Member.NO_SITE : member.site();
            Integer launch = roster.launch(worker);
            Message.Offer offer = launch == null ? null : machines.offer(launch);
            String name = offer == null ? worker.toString() : offer.name();
            all.add(
                    machine(
                            names.add(name) ? name : name + " (" + worker + ")",
                            site.equals(Member.NO_SITE) ? found.getOrDefault(worker, site) : site,
                            offer));
        }
        return new ClusterProfile(all, report.ways());
    }

    /** The kind by which plans know a machine; unknown where the machine reports nothing. */
    MachineKind machineOfLaunch(int launch) {
        MachineProfile profile = profile(machines.offer(launch));
        return profile == null
                ? MachineKind.UNKNOWN
                : new MachineKind(profile.typeAndMemory(), profile.memory().usableBytes());
    }

    /** A machine grants its worker this from now on; the kind that it is by that. */
    MachineKind resized(int launch, Message.Granted now) {
        MachineProfile before = profile(machines.offer(launch));
        if (before != null) {
            Long limit = now.memoryBytes() == Long.MAX_VALUE ? null : now.memoryBytes();
            machines.changed(launch, Json.tree(before.granting(now.cores(), limit)));
        }
        return machineOfLaunch(launch);
    }

    /** Of a machine that says nothing of itself, no limit is known. */
    private static Machine machine(String name, String site, Message.@Nullable Offer offer) {
        MachineProfile profile = profile(offer);
        return profile == null
                ? new Machine(name, site, "unknown", Long.MAX_VALUE, null)
                : new Machine(name, site, profile.type(), profile.memory().usableBytes(), null);
    }

    private static @Nullable MachineProfile profile(Message.@Nullable Offer offer) {
        try {
            return offer != null && offer.machine().hasNonNull("memory")
                    ? Json.bindWhole(offer.machine(), MachineProfile.class)
                    : null;
        } catch (JacksonException | IllegalArgumentException e) {
            return null; // As if it had said nothing.
        }
    }
}
