import { Controller, Get, Inject } from '@nestjs/common';
import type { Config } from '../config.js';
import { CoordinatorError } from '../errors.js';
import { Describe } from '../openapi/describe.js';
import { Port } from '../ports.js';
import { Issuer } from './issuer.js';
import { signInSchema, type SignIn } from './sign-in.js';

@Controller('v1/sign-in')
export class SignInController {
  constructor(
    @Inject(Port.config) private readonly config: Config,
    @Inject(Issuer) private readonly issuer: Issuer | null,
  ) {}

  @Get()
  @Describe({
    summary: 'How to come by a token: whether by an issuer, and with which client',
    tag: 'operations',
    open: true,
    answers: { 200: signInSchema },
    problems: [503],
  })
  async get(): Promise<SignIn> {
    const { tokens, oidc } = this.config;
    const all = { tokens: tokens.length > 0 };
    if (oidc === null || oidc.page === null || this.issuer === null) return { ...all, oidc: null };
    const discovery = await this.issuer.discovery();
    const { authorization_endpoint: authorizationEndpoint, token_endpoint: tokenEndpoint } = discovery;
    if (authorizationEndpoint === undefined || tokenEndpoint === undefined)
      throw new CoordinatorError('unavailable', {
        got: `no place to sign in at in what ${oidc.issuer} says of itself`,
        expected: 'authorization_endpoint and token_endpoint',
        remedy: 'Paste a token of it, or leave ORCHARD_OIDC_CLIENT_ID out.',
      });
    const { clientId, scope, parameters } = oidc.page;
    const bearer = oidc.audience === clientId ? 'id_token' : 'access_token';
    const client = { clientId, scope, parameters, bearer } as const;
    return { ...all, oidc: { issuer: oidc.issuer, authorizationEndpoint, tokenEndpoint, ...client } };
  }
}
