package dev.medley.fleet.policy.quota;

import dev.medley.fleet.policy.Policy;
import dev.medley.fleet.view.Decision;
import dev.medley.fleet.view.FleetView;
import dev.medley.fleet.view.JobView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Wraps a policy so that it sees what a job's data cost to bring to machines of a type. The money
 * would buy so many hours of such machines: by as much a job is taken to be longer there, {@code
 * rate x T / (T + egress / price)}, where T is what it has left. Of a job whose size nobody
 * declared as much is taken to be left as it did, and an hour at least. Where machines have no
 * price, there is nothing to compare with, and rates stay as they are.
 *
 * @param egress by job and type; jobs that pay nothing anywhere are left out
 */
public record WeighEgress(Policy policy, Map<Long, double[]> egress) implements Policy {
    private static final double LEAST_S = 3600;

    public WeighEgress {
        egress = Map.copyOf(egress);
    }

    @Override
    public String name() {
        return policy.name();
    }

    @Override
    public boolean ordersByPriority() {
        return policy.ordersByPriority();
    }

    @Override
    public Decision decide(FleetView view) {
        if (egress.isEmpty()) {
            return policy.decide(view);
        }
        List<JobView> jobs = new ArrayList<>();
        for (JobView job : view.jobs()) {
            double[] pays = egress.get(job.id());
            jobs.add(pays == null ? job : weighed(view, job, pays));
        }
        return policy.decide(
                new FleetView(
                        view.nowS(),
                        view.roundS(),
                        view.types(),
                        jobs,
                        view.ended(),
                        view.carried()));
    }

    private static JobView weighed(FleetView view, JobView job, double[] pays) {
        double[] rates = job.rates().clone();
        for (int type = 0; type < rates.length; type++) {
            double hourly = view.types().get(type).pricePerHour() * job.demand().minWorkers();
            if (pays[type] > 0 && rates[type] > 0 && hourly > 0) {
                double work = job.progress().remainingWork();
                double unsizedS = Math.max(LEAST_S, job.progress().doneWork() / rates[type]);
                double leftS = job.progress().sized() ? work / rates[type] : unsizedS;
                // At least a second: a job that is all but done still fits there.
                leftS = Math.max(1, leftS);
                rates[type] *= leftS / (leftS + pays[type] / hourly * 3600);
            }
        }
        return new JobView(
                job.id(), job.kind(), job.demand(), rates, job.held(), job.progress(), job.terms());
    }
}
