package dev.medley.fleet.hub;

import dev.medley.fleet.state.FleetJob;
import dev.medley.fleet.state.FleetMachine;
import dev.medley.fleet.state.FleetState;
import dev.medley.fleet.view.FleetView;
import dev.medley.fleet.view.Grant;
import dev.medley.fleet.view.JobView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Chooses which machines a job gets of the types that it was granted. It keeps what it holds. Then
 * come machines of the site where it has most, then those to which its data come cheapest, then
 * those that served a job of its kind before and have them, then by name.
 */
final class MachineChoice {
    private final FleetState state;
    private final TypeTable types;
    private final EgressCosts egress;
    private final Set<String> taken = new HashSet<>();
    private final Map<String, List<FleetMachine>> free = new HashMap<>();

    MachineChoice(FleetState state, TypeTable types, EgressCosts egress) {
        this.state = state;
        this.types = types;
        this.egress = egress;
    }

    /** Machines by job, for all grants of a decision. */
    Map<Long, List<String>> choose(FleetView view, List<Grant> grants) {
        Map<Long, List<String>> chosen = new HashMap<>(2 * grants.size());
        List<Grant> byId = new ArrayList<>(grants);
        byId.sort(Comparator.comparingLong(Grant::job));
        int[][] held = held(view, byId);
        List<Grant> more = new ArrayList<>();
        // First who holds what he is granted again, so that nobody else takes it.
        for (int i = 0; i < held.length; i++) {
            Grant grant = byId.get(i);
            boolean isSame = types.isWhole() && Arrays.equals(held[i], grant.machines());
            FleetJob job = state.job(grant.job());
            chosen.put(grant.job(), isSame && job != null ? job.machines() : kept(job, grant));
            if (!isSame) {
                more.add(grant);
            }
        }
        if (!more.isEmpty()) {
            chosen.values().forEach(taken::addAll);
        }
        for (Grant grant : more) {
            List<String> own = chosen.getOrDefault(grant.job(), List.of());
            chosen.put(grant.job(), filled(grant, own));
        }
        return chosen;
    }

    /** What jobs of grants hold by type; null of one that is not in the view. */
    private static int[][] held(FleetView view, List<Grant> byId) {
        int[][] held = new int[byId.size()][];
        int at = 0;
        for (int i = 0; i < held.length; i++) {
            while (at < view.jobs().size() && view.jobs().get(at).id() < byId.get(i).job()) {
                at++;
            }
            JobView job = at < view.jobs().size() ? view.jobs().get(at) : null;
            held[i] = job != null && job.id() == byId.get(i).job() ? job.held() : null;
        }
        return held;
    }

    private List<String> kept(@Nullable FleetJob job, Grant grant) {
        List<String> kept = new ArrayList<>();
        int[] left = grant.machines().clone();
        for (String name : job == null ? List.<String>of() : job.machines()) {
            FleetMachine machine = state.machine(name);
            int type = machine == null ? -1 : types.indexOf(machine.type());
            if (machine != null && type >= 0 && machine.isUsable() && left[type] > 0) {
                left[type]--;
                kept.add(name);
            }
        }
        return kept;
    }

    private List<String> filled(Grant grant, List<String> own) {
        int wanted = 0;
        for (int of : grant.machines()) {
            wanted += of;
        }
        if (own.size() == wanted) {
            return own; // No more than what was granted of each type was kept.
        }
        List<String> names = new ArrayList<>(own);
        for (int type = 0; type < types.names().size(); type++) {
            String word = types.names().get(type);
            int more = grant.machines()[type] - count(names, word);
            for (String name :
                    more > 0 ? best(grant.job(), word, names, more) : List.<String>of()) {
                names.add(name);
                taken.add(name);
            }
        }
        return names;
    }

    private int count(List<String> names, String type) {
        int count = 0;
        for (String name : names) {
            FleetMachine machine = state.machine(name);
            count += machine != null && machine.type().equals(type) ? 1 : 0;
        }
        return count;
    }

    /** Holds what counts of a machine that could be chosen. */
    private record Candidate(String name, int ofSite, double egress, boolean isThere) {
        static final Comparator<Candidate> BEST =
                Comparator.comparingInt((Candidate c) -> -c.ofSite)
                        .thenComparingDouble(Candidate::egress)
                        .thenComparing(c -> !c.isThere)
                        .thenComparing(Candidate::name);
    }

    private List<String> best(long job, String type, List<String> own, int wanted) {
        Map<String, Integer> sites = new HashMap<>();
        for (String name : own) {
            FleetMachine machine = state.machine(name);
            if (machine != null) {
                sites.merge(machine.site(), 1, Integer::sum);
            }
        }
        FleetJob asks = state.job(job);
        List<Candidate> all = new ArrayList<>();
        for (FleetMachine machine : free(type)) {
            if (!taken.contains(machine.name())) {
                all.add(
                        new Candidate(
                                machine.name(),
                                sites.getOrDefault(machine.site(), 0),
                                asks == null ? 0 : egress.of(asks, machine),
                                asks != null && egress.isThere(asks, machine)));
            }
        }
        if (wanted == 1) {
            return all.isEmpty() ? List.of() : List.of(Collections.min(all, Candidate.BEST).name());
        }
        all.sort(Candidate.BEST);
        return all.stream().limit(wanted).map(Candidate::name).toList();
    }

    /** Usable machines of a type that nobody keeps; found once. */
    private List<FleetMachine> free(String type) {
        if (free.isEmpty()) {
            for (FleetMachine machine : state.machines()) {
                if (machine.isUsable() && !taken.contains(machine.name())) {
                    free.computeIfAbsent(machine.type(), t -> new ArrayList<>()).add(machine);
                }
            }
        }
        return free.getOrDefault(type, List.of());
    }
}
