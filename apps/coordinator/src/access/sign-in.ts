import { z } from 'zod';

/** How a user without a token can get one. */
export const signInSchema = z.strictObject({
  tokens: z.boolean().meta({ description: 'whether fixed tokens are taken' }),
  oidc: z
    .strictObject({
      issuer: z.string(),
      authorizationEndpoint: z.string(),
      tokenEndpoint: z.string(),
      clientId: z.string(),
      scope: z.string(),
      parameters: z
        .record(z.string(), z.string())
        .meta({ description: 'to be sent along to both endpoints: audience=… or resource=…, as the issuer wants it' }),
      bearer: z.enum(['access_token', 'id_token']).meta({
        description: 'which of the tokens is shown to this API: the ID token where the audience is the client itself',
      }),
    })
    .nullable()
    .meta({ description: 'null where no page signs in with an issuer' }),
});

export type SignIn = z.infer<typeof signInSchema>;
