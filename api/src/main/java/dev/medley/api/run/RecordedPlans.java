package dev.medley.api.run;

import dev.medley.control.planner.ReplayPlan.Recorded;
import dev.medley.profile.record.PlanRecord;
import dev.medley.profile.record.RunFolder;
import dev.medley.profile.record.RunRecord;
import java.util.List;

/** The plans of a recorded run, in the planner's words. */
final class RecordedPlans {
    private RecordedPlans() {}

    static List<Recorded> of(RunFolder run) {
        return PlanRecord.inForce(RunRecord.read(run).plans()).stream()
                .map(record -> new Recorded(record.fromStep(), record.plan(), record.sites()))
                .toList();
    }
}
