package dev.medley.fleet.policy.quota;

import dev.medley.fleet.view.FleetView;
import dev.medley.fleet.view.JobView;
import dev.medley.fleet.view.MachineType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Cuts a view down to some of its machines and jobs. */
final class FleetPart {
    private FleetPart() {}

    /** A view of {@code machines} by type and of {@code jobs}, by id, without promises. */
    static FleetView of(FleetView view, int[] machines, List<JobView> jobs) {
        List<MachineType> types = new ArrayList<>();
        for (int type = 0; type < machines.length; type++) {
            MachineType whole = view.types().get(type);
            types.add(new MachineType(whole.name(), machines[type], whole.pricePerHour()));
        }
        List<JobView> sorted = new ArrayList<>(jobs);
        sorted.sort(Comparator.comparingLong(JobView::id));
        return new FleetView(view.nowS(), view.roundS(), types, sorted);
    }

    /** All machines of a grant or of what a job holds. */
    static int sum(int[] machines) {
        int sum = 0;
        for (int some : machines) {
            sum += some;
        }
        return sum;
    }
}
