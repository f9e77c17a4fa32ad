"""Serves MiniStack on a free port, and prints the port once it does.

What MiniStack lacks of this service is added here, so that the stacks deploy as they are; each part
says what is missing. MiniStack and the processes of its functions end when standard input does, so
that none outlives the test, even one that was killed.
"""

import asyncio
import base64
import json
import os
import re
import shutil
import signal
import socket
import sys
import tempfile
import threading

# MiniStack reads its port, which its functions call, while it is imported.
listener = socket.create_server(("127.0.0.1", 0))
port = listener.getsockname()[1]
os.environ["GATEWAY_PORT"] = str(port)

from hypercorn.asyncio import serve
from hypercorn.config import Config
from ministack import app
from ministack.core import iam_actions, lambda_runtime
from ministack.core.responses import new_uuid
from ministack.services import apigateway_v1 as gateway
from ministack.services import waf
from ministack.services.cloudformation import provisioners, stacks


def created_only(logical_id, props, stack_name):
    return f"{stack_name}-{logical_id}", {}


# Missing: these types. They do nothing here: no canary, no saved query.
inert = {
    "create": created_only,
    "update": lambda physical_id, *_: (physical_id, {}),
    "delete": lambda *_: None,
}


def associate(logical_id, props, stack_name):
    answer = waf._associate_web_acl(props)
    if answer[0] >= 400:
        raise ValueError(answer[2].decode())
    return "|".join([props["ResourceArn"], props["WebACLArn"]]), {}


def disassociate(physical_id, props):
    waf._disassociate_web_acl(props)


provisioners._RESOURCE_HANDLERS |= {
    "AWS::CodeDeploy::Application": inert,
    "AWS::CodeDeploy::DeploymentGroup": inert,
    "AWS::Logs::QueryDefinition": inert,
    # Missing: this type, though its API exists. No request is compared with the web ACL.
    "AWS::WAFv2::WebACLAssociation": {"create": associate, "delete": disassociate},
}

# Missing: names that differ each time. A resource got the name of the one that was deleted or left
# behind, and took its place.
provision = stacks._provision_resource


def with_new_name(*args):
    provisioners._NAME_SEED.set(provisioners._NAME_SEED.get() or new_uuid())
    return provision(*args)


stacks._provision_resource = with_new_name

# Missing: alarms on expressions. Each becomes an alarm on its first metric.
alarm_record = provisioners._cw_metric_alarm_record


def on_first_metric(name, props):
    metrics = [each["MetricStat"] for each in props.get("Metrics", []) if "MetricStat" in each]
    if metrics:
        first = metrics[0]
        rest = {key: value for key, value in props.items() if key != "Metrics"}
        props = {**rest, **first["Metric"], "Period": first["Period"], "Statistic": first["Stat"]}
    return alarm_record(name, props)


provisioners._cw_metric_alarm_record = on_first_metric

# Missing: streamed responses. They are collected, and sent as a whole.
lambda_of = gateway._extract_lambda_ref_from_integration_uri
proxy_response = gateway._lambda_proxy_response


def of_streaming_uri(uri):
    return lambda_of(uri.replace("/response-streaming-invocations", "/invocations"))


def with_decoded_body(result):
    response, error = proxy_response(result)
    if response and response.get("isBase64Encoded"):
        response |= {"body": base64.b64decode(response["body"]), "isBase64Encoded": False}
    return response, error


gateway._extract_lambda_ref_from_integration_uri = of_streaming_uri
gateway._lambda_proxy_response = with_decoded_body
lambda_runtime._NODEJS_WORKER_SCRIPT = (
    """
globalThis.awslambda = {
  streamifyResponse: (handler) => async (event, context) => {
    const chunks = [];
    const write = (chunk, encoding, written) => {
      chunks.push(Buffer.from(chunk, encoding));
      written();
    };
    const stream = new (require('node:stream').Writable)({ write });
    await handler(event, stream, context);
    const body = Buffer.concat(chunks).toString('base64');
    return { ...stream.metadata, body, isBase64Encoded: true };
  },
  HttpResponseStream: { from: (stream, metadata) => Object.assign(stream, { metadata }) },
};
"""
    + lambda_runtime._NODEJS_WORKER_SCRIPT
)

# Missing: FlushStageAuthorizersCache.
handle_request = gateway.handle_request


async def with_flush(method, path, *more):
    if method == "DELETE" and path.endswith("/cache/authorizers"):
        gateway._authorizer_cache.clear()
        return 202, {}, b""
    return await handle_request(method, path, *more)


gateway.handle_request = with_flush

# Missing: the table or backup that a restore is asked of, without which no policy allows one.
named_tables = iam_actions.dynamodb_resource_arns


def with_restored(body, region, account_id):
    asked = json.loads(body or b"{}")
    if "BackupArn" in asked:
        return [asked["BackupArn"]]
    if "SourceTableName" in asked:
        body = json.dumps({"TableName": asked["SourceTableName"]}).encode()
    return named_tables(body, region, account_id)


iam_actions.dynamodb_resource_arns = with_restored

# Missing: the hosts at which AWS serves APIs, as the stacks' outputs have them.
app._EXECUTE_API_RE = re.compile(r"^([a-f0-9]{8})\.execute-api\.[a-z0-9-]+\.amazonaws\.com$")


def end_with_standard_input():
    sys.stdin.buffer.read()
    shutil.rmtree(tempfile.gettempdir(), ignore_errors=True)
    # Its functions are in its process group.
    os.killpg(0, signal.SIGKILL)


os.setpgrp()
threading.Thread(target=end_with_standard_input, daemon=True).start()

# Not with app.main(), which also listens on port 443 if it can.
config = Config()
config.bind = [f"fd://{listener.fileno()}"]
config.certfile = os.environ["MINISTACK_SSL_CERT"]
config.keyfile = os.environ["MINISTACK_SSL_KEY"]
config.keep_alive_timeout = 75
print(port, flush=True)
asyncio.run(serve(app.app, config))
