package dev.medley.benchmarks.serving;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.ServerBuilder;
import dev.medley.base.Json;
import dev.medley.base.Seeds;
import dev.medley.base.time.Clock;
import dev.medley.serving.http.FrontDoor;
import dev.medley.serving.http.ServeCallers;
import dev.medley.serving.http.ServeSocket;
import dev.medley.serving.http.ServerLimits;
import dev.medley.serving.load.LoadReport;
import dev.medley.serving.load.ServerLoad;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * Plays a server of a given speed: computes one request after the other, each for a random time,
 * and uses no processor, so that many fit on one machine.
 */
public final class PacedServer {
    private static final double MEAN_WORK_NS = 40e6; // At speed 1.

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final Clock clock = Clock.system();
    private final RandomGenerator random;
    private final double slowedAfterNs;
    private final double speed;
    private final long beganNs = clock.nowNs();
    private long freeNs = beganNs;

    private PacedServer(double speed, double slowedAfterS, long seed) {
        this.speed = speed;
        slowedAfterNs = slowedAfterS * 1e9;
        random = Seeds.generator(seed);
    }

    /** Port, speed, and after how many seconds it gets half as fast (0 for never). */
    public static void main(String[] words) throws InterruptedException {
        int port = Integer.parseInt(words[0]);
        PacedServer paced =
                new PacedServer(Double.parseDouble(words[1]), Double.parseDouble(words[2]), port);
        ServeSocket where = ServeSocket.onLoopback(port);
        ServerLoad load = new ServerLoad();
        ServerBuilder builder =
                FrontDoor.builder(where, ServeCallers.ALL, ServerLimits.usual(), load, paced.clock);
        builder.service(
                LoadReport.PATH,
                (ctx, request) ->
                        HttpResponse.of(
                                HttpStatus.OK,
                                MediaType.JSON,
                                Json.line(load.asked(LoadReport.READY, paced.clock.nowNs()))));
        builder.serviceUnder(
                "/",
                (ctx, request) ->
                        HttpResponse.of(
                                request.aggregate().thenCompose(whole -> paced.computed())));
        FrontDoor door = FrontDoor.open(builder, where, load, paced.clock);
        System.out.println("serving at " + door.address());
        new CountDownLatch(1).await();
    }

    private synchronized CompletableFuture<HttpResponse> computed() {
        long nowNs = clock.nowNs();
        boolean isSlowed = slowedAfterNs > 0 && nowNs - beganNs > slowedAfterNs;
        double workNs = -Math.log(1 - random.nextDouble()) * MEAN_WORK_NS;
        freeNs = Math.max(nowNs, freeNs) + (long) (workNs / (isSlowed ? speed / 2 : speed));
        CompletableFuture<HttpResponse> answer = new CompletableFuture<>();
        var unused =
                timer.schedule(
                        () -> answer.complete(HttpResponse.of(HttpStatus.OK, MediaType.JSON, "{}")),
                        freeNs - nowNs,
                        TimeUnit.NANOSECONDS);
        return answer;
    }
}
