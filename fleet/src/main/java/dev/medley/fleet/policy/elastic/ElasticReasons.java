package dev.medley.fleet.policy.elastic;

import dev.medley.fleet.policy.index.Durations;
import dev.medley.fleet.view.FleetView;
import dev.medley.fleet.view.JobView;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Says in one sentence why a job has these machines and no more, or none. */
final class ElasticReasons {
    private final FleetView view;
    private final int[] free;

    /**
     * @param free machines by type that nobody was given
     */
    ElasticReasons(FleetView view, int[] free) {
        this.view = view;
        this.free = free;
    }

    String runs(MachineShare share) {
        List<String> parts = new ArrayList<>();
        for (int type = 0; type < free.length; type++) {
            if (share.machines()[type] > 0) {
                parts.add(share.machines()[type] + " of " + view.types().get(type).name());
            }
        }
        return "%s make it %s times as fast as its least; %s"
                .formatted(
                        String.join(" and ", parts),
                        String.format(
                                Locale.ROOT,
                                "%.1f",
                                share.speed(share.machines()) / share.job().bestRate()),
                        noMore(share));
    }

    private String noMore(MachineShare share) {
        if (share.count() >= share.job().demand().maxWorkers()) {
            return "it can use no more";
        }
        double savedS = Double.NEGATIVE_INFINITY;
        for (int type = 0; type < free.length; type++) {
            if (share.fits(type, free)) {
                savedS = Math.max(savedS, share.savedS(share.next(type)));
            }
        }
        if (savedS == Double.NEGATIVE_INFINITY) {
            return "others do more with the rest";
        }
        return "one more would save %s and cost a restart of %s"
                .formatted(
                        Durations.of(Math.max(0, savedS)),
                        Durations.of(share.job().progress().restartS()));
    }

    String waits(MachineShare share) {
        JobView job = share.job();
        if (job.bestRate() <= 0) {
            return "it fits on no machine that is here";
        }
        int most = 0;
        for (int type = 0; type < free.length; type++) {
            if (job.rates()[type] > 0) {
                most = Math.max(most, view.types().get(type).machines());
            }
        }
        if (most < job.demand().minWorkers()) {
            return "it needs %d machines of one type, and there are %d at most"
                    .formatted(job.demand().minWorkers(), most);
        }
        return "machines do more with the jobs that run; about %s left on its best machines"
                .formatted(Durations.of(share.aloneS()));
    }
}
