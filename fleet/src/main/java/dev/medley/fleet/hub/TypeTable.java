package dev.medley.fleet.hub;

import dev.medley.fleet.rates.TypeSpeed;
import dev.medley.fleet.state.FleetMachine;
import dev.medley.fleet.state.FleetState;
import dev.medley.fleet.view.MachineType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Sums up a fleet's machines by type: how many jobs may be put on, their price, speed and memory.
 * It stays true until a machine changes.
 */
final class TypeTable {
    private final List<String> names;
    private final Map<String, Integer> indexOf = new HashMap<>();
    private final List<MachineType> machines;
    private final Map<String, TypeSpeed> speeds = new HashMap<>();
    private final Map<String, Long> memoryBytes = new HashMap<>();
    private final boolean isWhole;
    private final long changes;

    private TypeTable(FleetState state) {
        changes = state.machineChanges();
        Map<String, Integer> usable = new TreeMap<>();
        Map<String, Double> prices = new HashMap<>();
        Map<String, Long> fastest = new HashMap<>();
        for (FleetMachine machine : state.machines()) {
            speeds.put(machine.type(), machine.speed());
            prices.put(machine.type(), machine.seen().pricePerHour());
            memoryBytes.merge(machine.type(), machine.seen().memoryBytes(), Math::min);
            usable.merge(machine.type(), machine.isUsable() ? 1 : 0, Integer::sum);
            fastest.merge(machine.type(), speedClass(machine.seen().speed()), Math::max);
        }
        names =
                usable.keySet().stream()
                        .sorted(
                                Comparator.comparing(
                                                (String type) -> -fastest.getOrDefault(type, 0L))
                                        .thenComparing(type -> type))
                        .toList();
        isWhole = state.machines().stream().allMatch(FleetMachine::isUsable);
        List<MachineType> types = new ArrayList<>();
        for (String type : names) {
            indexOf.put(type, indexOf.size());
            int count = usable.getOrDefault(type, 0);
            types.add(new MachineType(type, count, prices.getOrDefault(type, Double.NaN)));
        }
        machines = List.copyOf(types);
    }

    /** Quarters of a doubling, so that machines measured anew keep their order. */
    private static long speedClass(double speed) {
        return speed > 0 ? Math.round(4 * Math.log(speed) / Math.log(2)) : -1_000_000;
    }

    static TypeTable of(FleetState state) {
        return new TypeTable(state);
    }

    /** Whether no machine has changed since. */
    boolean isOf(FleetState state) {
        return changes == state.machineChanges();
    }

    /** The fastest first. */
    List<String> names() {
        return names;
    }

    /** Where a type stands among the names; -1 where it is not. */
    int indexOf(String type) {
        return indexOf.getOrDefault(type, -1);
    }

    /** Those that can be given to jobs, in the order of the names. */
    List<MachineType> machines() {
        return machines;
    }

    /** Whether jobs may be put on all machines. */
    boolean isWhole() {
        return isWhole;
    }

    TypeSpeed speed(String type) {
        return speeds.getOrDefault(type, new TypeSpeed(type, 1));
    }

    /** The least of the type's machines; 0 where nobody said it. */
    long memoryBytes(int type) {
        return memoryBytes.getOrDefault(names.get(type), 0L);
    }
}
