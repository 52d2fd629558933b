package dev.medley.fleet.hub;

import dev.medley.fleet.state.FleetJob;
import dev.medley.fleet.state.FleetMachine;
import dev.medley.fleet.state.FleetState;
import dev.medley.fleet.view.Grant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Chooses which machines a job gets of the types that it was granted. It keeps what it holds. Then
 * come machines of the site where it has most, then those to which its data come cheapest, then
 * those that served a job of its kind before and have them, then by name.
 */
final class MachineChoice {
    private final FleetState state;
    private final List<String> types;
    private final EgressCosts egress;
    private final Set<String> taken = new HashSet<>();

    MachineChoice(FleetState state, List<String> types, EgressCosts egress) {
        this.state = state;
        this.types = types;
        this.egress = egress;
    }

    /** Machines by job, for all grants of a decision. */
    Map<Long, List<String>> choose(List<Grant> grants) {
        Map<Long, List<String>> chosen = new HashMap<>();
        // First who holds what he is granted again, so that nobody else takes it.
        for (Grant grant : grants) {
            chosen.put(grant.job(), kept(grant));
        }
        List<Grant> byId = new ArrayList<>(grants);
        byId.sort(Comparator.comparingLong(Grant::job));
        for (Grant grant : byId) {
            List<String> own = chosen.getOrDefault(grant.job(), List.of());
            chosen.put(grant.job(), filled(grant, own));
        }
        return chosen;
    }

    private List<String> kept(Grant grant) {
        List<String> kept = new ArrayList<>();
        int[] left = grant.machines().clone();
        FleetJob job = state.job(grant.job());
        for (String name : job == null ? List.<String>of() : job.machines()) {
            FleetMachine machine = state.machine(name);
            int type = machine == null ? -1 : types.indexOf(machine.type());
            if (machine != null && type >= 0 && machine.isUsable() && left[type] > 0) {
                left[type]--;
                taken.add(name);
                kept.add(name);
            }
        }
        return kept;
    }

    private List<String> filled(Grant grant, List<String> own) {
        List<String> names = new ArrayList<>(own);
        for (int type = 0; type < types.size(); type++) {
            int wanted = grant.machines()[type] - count(names, types.get(type));
            if (wanted <= 0) {
                continue;
            }
            for (FleetMachine machine : ordered(grant.job(), types.get(type), names)) {
                if (wanted > 0) {
                    names.add(machine.name());
                    taken.add(machine.name());
                    wanted--;
                }
            }
        }
        return names;
    }

    private int count(List<String> names, String type) {
        return (int)
                names.stream()
                        .map(state::machine)
                        .filter(m -> m != null && m.type().equals(type))
                        .count();
    }

    private List<FleetMachine> ordered(long job, String type, List<String> own) {
        Map<String, Integer> sites = new HashMap<>();
        for (String name : own) {
            FleetMachine machine = state.machine(name);
            if (machine != null) {
                sites.merge(machine.site(), 1, Integer::sum);
            }
        }
        FleetJob asks = state.job(job);
        List<FleetMachine> free = new ArrayList<>();
        for (FleetMachine machine : state.machines()) {
            if (machine.isUsable()
                    && machine.type().equals(type)
                    && !taken.contains(machine.name())) {
                free.add(machine);
            }
        }
        free.sort(
                Comparator.comparingInt((FleetMachine m) -> -sites.getOrDefault(m.site(), 0))
                        .thenComparingDouble(m -> asks == null ? 0 : egress.of(asks, m))
                        .thenComparing(m -> asks == null || !egress.isThere(asks, m))
                        .thenComparing(FleetMachine::name));
        return free;
    }
}
