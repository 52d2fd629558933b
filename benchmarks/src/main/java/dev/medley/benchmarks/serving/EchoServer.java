package dev.medley.benchmarks.serving;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.ServerBuilder;
import dev.medley.base.time.Clock;
import dev.medley.serving.http.FrontDoor;
import dev.medley.serving.http.ServeCallers;
import dev.medley.serving.http.ServeSocket;
import dev.medley.serving.http.ServerLimits;
import dev.medley.serving.load.ServerLoad;
import java.util.concurrent.CountDownLatch;

/** Answers each request with its own body, by the product's server without any model. */
public final class EchoServer {
    private EchoServer() {}

    /** Listens on loopback at the port that is given. */
    public static void main(String[] words) throws InterruptedException {
        ServeSocket where = ServeSocket.onLoopback(Integer.parseInt(words[0]));
        ServerLoad load = new ServerLoad();
        ServerBuilder builder =
                FrontDoor.builder(
                        where, ServeCallers.ALL, ServerLimits.usual(), load, Clock.system());
        builder.serviceUnder(
                "/",
                (ctx, request) ->
                        HttpResponse.of(
                                request.aggregate()
                                        .thenApply(
                                                whole ->
                                                        HttpResponse.of(
                                                                HttpStatus.OK,
                                                                MediaType.JSON,
                                                                whole.content()))));
        FrontDoor door = FrontDoor.open(builder, where, load, Clock.system());
        System.out.println("serving at " + door.address());
        new CountDownLatch(1).await();
    }
}
